"""The operations of ``vector`` in LLVM's language, for numba: imported only where kernels are compiled.

numba has no vector type, and its loop vectorizer gives up on one array that is both read and written. ``Lanes`` is a
numba type whose machine form is LLVM's ``<8 x i64>``; each operation is an intrinsic of one or two instructions. On
machines without 512-bit registers LLVM splits it into two or four smaller ones. ``Planes`` holds several such vectors
as one value, kept in registers through a loop.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import extending, types
from numba.core import cgutils
from numba.extending import models, register_model

from ludisect.circuit.vector import WORDS

_I64 = ir.IntType(64)
_VEC = ir.VectorType(_I64, WORDS)


def intrinsic(define: Any) -> Any:
    """An operation given as LLVM code; callable from compiled functions only."""
    return extending.intrinsic(define)


class LanesType(types.Type):  # type: ignore[misc]
    """numba's view of one vector."""

    def __init__(self) -> None:
        super().__init__(name=f"Lanes{WORDS}")


lanes_type = LanesType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, _VEC)


class PlanesType(types.Type):  # type: ignore[misc]
    """numba's view of ``count`` vectors held together."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(name=f"Planes{count}x{WORDS}")


@register_model(PlanesType)
class _PlanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, ir.ArrayType(_VEC, fe_type.count))


def _splat(value: int) -> ir.Constant:
    return ir.Constant(_VEC, [value] * WORDS)


def _address(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    offset = builder.mul(index, ir.Constant(_I64, WORDS))
    return builder.bitcast(builder.gep(data, [offset]), _VEC.as_pointer())


@intrinsic
def load(typing: Any, array: Any, index: Any) -> Any:
    """The vector at ``index`` (counted in vectors) of an int64 array."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        index64 = context.cast(builder, args[1], signature.args[1], types.int64)
        return builder.load(_address(context, builder, signature.args[0], args[0], index64), align=64)

    return lanes_type(array, index), generate


@intrinsic
def fetch(typing: Any, array: Any, index: Any) -> Any:
    """``array[index]`` of a one-dimensional int32 array as an int64, without numba's care for negative indices."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        index64 = context.cast(builder, args[1], signature.args[1], types.int64)
        return builder.sext(builder.load(builder.gep(data, [index64])), _I64)

    return types.int64(array, index), generate


@intrinsic
def store(typing: Any, array: Any, index: Any, vector: Any) -> Any:
    """Write a vector at ``index`` (counted in vectors)."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        index64 = context.cast(builder, args[1], signature.args[1], types.int64)
        builder.store(args[2], _address(context, builder, signature.args[0], args[0], index64), align=64)
        return context.get_dummy_value()

    return types.void(array, index, vector), generate


@intrinsic
def load_signed(typing: Any, array: Any, literal: Any) -> Any:
    """The vector of a literal: node ``literal >> 1``, complemented if the literal is odd."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        lit = context.cast(builder, args[1], signature.args[1], types.int64)
        node = builder.ashr(lit, ir.Constant(_I64, 1))
        sign = builder.neg(builder.and_(lit, ir.Constant(_I64, 1)))
        vector = builder.load(_address(context, builder, signature.args[0], args[0], node), align=64)
        return builder.xor(vector, _broadcast(builder, sign))

    return lanes_type(array, literal), generate


def _broadcast(builder: Any, scalar: Any) -> Any:
    one = builder.insert_element(ir.Constant(_VEC, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
    mask = ir.Constant(ir.VectorType(ir.IntType(32), WORDS), [0] * WORDS)
    return builder.shuffle_vector(one, ir.Constant(_VEC, ir.Undefined), mask)


def _constant(value: int, doc: str) -> Any:
    def typer(typing: Any) -> Any:
        return lanes_type(), lambda context, builder, signature, args: _splat(value)

    typer.__doc__ = doc
    return intrinsic(typer)


zeros = _constant(0, "No lane set.")
ones = _constant(-1, "Every lane set.")


def _binary(operate: Any, doc: str) -> Any:
    def typer(typing: Any, a: Any, b: Any) -> Any:
        return lanes_type(a, b), lambda context, builder, signature, args: operate(builder, args[0], args[1])

    typer.__doc__ = doc
    return intrinsic(typer)


both = _binary(lambda b, x, y: b.and_(x, y), "x AND y.")
either = _binary(lambda b, x, y: b.or_(x, y), "x OR y.")
differ = _binary(lambda b, x, y: b.xor(x, y), "x XOR y.")
without = _binary(lambda b, x, y: b.and_(x, b.xor(y, _splat(-1))), "x AND NOT y.")


@intrinsic
def select(typing: Any, mask: Any, a: Any, b: Any) -> Any:
    """a in the lanes of ``mask``, b elsewhere."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        mask_, a_, b_ = args
        return builder.or_(builder.and_(a_, mask_), builder.and_(b_, builder.xor(mask_, _splat(-1))))

    return lanes_type(mask, a, b), generate


@intrinsic
def any_lane(typing: Any, a: Any) -> Any:
    """Whether some lane is set."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        nonzero = builder.icmp_unsigned("!=", args[0], _splat(0))
        bits = builder.bitcast(nonzero, ir.IntType(WORDS))
        return builder.icmp_unsigned("!=", bits, ir.Constant(ir.IntType(WORDS), 0))

    return types.boolean(a), generate


@intrinsic
def add_population(typing: Any, total: Any, a: Any) -> Any:
    """``total`` plus the number of lanes set, word by word."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(_VEC, [_VEC])  # llvmlite cannot name intrinsics of vectors itself
        count = cgutils.get_or_insert_function(builder.module, kind, f"llvm.ctpop.v{WORDS}i64")
        return builder.add(args[0], builder.call(count, [args[1]]))

    return lanes_type(total, a), generate


@intrinsic
def sum_words(typing: Any, a: Any) -> Any:
    """The sum of the 64-bit words."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        total = builder.extract_element(args[0], ir.Constant(ir.IntType(32), 0))
        for i in range(1, WORDS):
            total = builder.add(total, builder.extract_element(args[0], ir.Constant(ir.IntType(32), i)))
        return total

    return types.int64(a), generate


def _no_planes(count: int) -> Any:
    def typer(typing: Any) -> Any:
        return PlanesType(count)(), lambda context, builder, signature, args: ir.Constant(
            ir.ArrayType(_VEC, count), [_splat(0)] * count
        )

    return intrinsic(typer)


planes4, planes6, planes8, planes12, planes20 = (_no_planes(n) for n in (4, 6, 8, 12, 20))


def _plane(at: int) -> Any:
    def typer(typing: Any, planes: Any) -> Any:
        return lanes_type(planes), lambda context, builder, signature, args: builder.extract_value(args[0], at)

    typer.__doc__ = f"Plane {at}."
    return intrinsic(typer)


plane0, plane1, plane2, plane3 = (_plane(i) for i in range(4))


@intrinsic
def take_bit(typing: Any, planes: Any, bits: Any) -> Any:
    """Subtract 1 in the lanes of a mask; (planes, lanes that fell below zero)."""
    result = types.Tuple((planes, lanes_type))

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value, borrow = args
        for i in range(planes.count):
            p = builder.extract_value(value, i)
            value = builder.insert_value(value, builder.xor(p, borrow), i)
            borrow = builder.and_(borrow, builder.xor(p, _splat(-1)))
        return context.make_tuple(builder, result, [value, borrow])

    return result(planes, bits), generate


@intrinsic
def count_eight(typing: Any, planes: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any) -> Any:
    """Add eight masks to the numbers in the planes: seven full adders, then the carry of 8 ripples up."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value, *bits = args
        one, two, four = (builder.extract_value(value, i) for i in range(3))

        def full(x: Any, y: Any, z: Any) -> Any:
            xy = builder.xor(x, y)
            return builder.xor(xy, z), builder.or_(builder.and_(x, y), builder.and_(xy, z))

        one, t1 = full(one, bits[0], bits[1])
        one, t2 = full(one, bits[2], bits[3])
        two, f1 = full(two, t1, t2)
        one, t3 = full(one, bits[4], bits[5])
        one, t4 = full(one, bits[6], bits[7])
        two, f2 = full(two, t3, t4)
        four, carry = full(four, f1, f2)
        for i, p in enumerate((one, two, four)):
            value = builder.insert_value(value, p, i)
        for i in range(3, planes.count):
            p = builder.extract_value(value, i)
            value = builder.insert_value(value, builder.xor(p, carry), i)
            carry = builder.and_(p, carry)
        return value

    return planes(planes, a, b, c, d, e, f, g, h), generate


def _low_nibble(step: Any, doc: str) -> Any:
    """An intrinsic that adds or subtracts a 4-bit number held in four masks; gives (planes, carry out)."""

    def typer(typing: Any, planes: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
        result = types.Tuple((planes, lanes_type))

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            value, *number = args
            carry = _splat(0)
            for i in range(planes.count):
                p = builder.extract_value(value, i)
                q = number[i] if i < 4 else _splat(0)
                p, carry = step(builder, p, q, carry)
                value = builder.insert_value(value, p, i)
            return context.make_tuple(builder, result, [value, carry])

        return result(planes, a, b, c, d), generate

    typer.__doc__ = doc
    return intrinsic(typer)


def _full_add(builder: Any, p: Any, q: Any, c: Any) -> Any:
    return builder.xor(builder.xor(p, q), c), builder.or_(builder.and_(p, q), builder.and_(c, builder.or_(p, q)))


def _full_subtract(builder: Any, p: Any, q: Any, c: Any) -> Any:
    not_p = builder.xor(p, _splat(-1))
    borrow = builder.or_(builder.and_(q, c), builder.and_(not_p, builder.or_(q, c)))
    return builder.xor(builder.xor(p, q), c), borrow


add_nibble = _low_nibble(_full_add, "Add a 4-bit number to the planes; (planes, carry out).")
take_nibble = _low_nibble(_full_subtract, "Subtract a 4-bit number from the planes; (planes, borrow out).")


@intrinsic
def smear_down(typing: Any, planes: Any) -> Any:
    """Each number with every bit below its highest bit set as well: the mask of the bits a draw needs."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value = args[0]
        above = builder.extract_value(value, planes.count - 1)
        for i in range(planes.count - 2, -1, -1):
            above = builder.or_(above, builder.extract_value(value, i))
            value = builder.insert_value(value, above, i)
        return value

    return planes(planes), generate


@intrinsic
def exceeds(typing: Any, planes: Any, bound: Any) -> Any:
    """Lanes whose number is larger than the one in ``bound``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        carry = _splat(0)
        for i in range(planes.count):
            q, p = builder.extract_value(args[0], i), builder.extract_value(args[1], i)
            _, carry = _full_subtract(builder, p, q, carry)
        return carry

    return lanes_type(planes, bound), generate


@intrinsic
def select_planes(typing: Any, mask: Any, a: Any, b: Any) -> Any:
    """The numbers of ``a`` in the lanes of ``mask``, those of ``b`` elsewhere."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        mask_, a_, b_ = args
        inverse = builder.xor(mask_, _splat(-1))
        for i in range(a.count):
            x = builder.and_(builder.extract_value(a_, i), mask_)
            y = builder.and_(builder.extract_value(b_, i), inverse)
            b_ = builder.insert_value(b_, builder.or_(x, y), i)
        return b_

    return a(mask, a, b), generate


@intrinsic
def random_planes(typing: Any, mask: Any, array: Any, index: Any) -> Any:
    """Random numbers below the bits of ``mask``; the xoshiro256++ state is at vectors index..index+3 of ``array``.

    The period of each of the eight 64-bit generators is 2^256 - 1. Planes of the mask that no lane needs are skipped.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        index64 = context.cast(builder, args[2], signature.args[2], types.int64)
        where = [
            _address(context, builder, signature.args[1], args[1], builder.add(index64, ir.Constant(_I64, i)))
            for i in range(4)
        ]
        slots = [cgutils.alloca_once(builder, _VEC) for _ in range(4)]
        for slot, address in zip(slots, where, strict=True):
            builder.store(builder.load(address, align=64), slot)
        out = [cgutils.alloca_once(builder, _VEC) for _ in range(mask.count)]
        for i in range(mask.count):
            wanted = builder.extract_value(args[0], i)
            builder.store(_splat(0), out[i])
            bits = builder.bitcast(builder.icmp_unsigned("!=", wanted, _splat(0)), ir.IntType(WORDS))
            with builder.if_then(builder.icmp_unsigned("!=", bits, ir.Constant(ir.IntType(WORDS), 0))):
                s0, s1, s2, s3 = (builder.load(slot) for slot in slots)
                sum_ = builder.add(s0, s3)
                mixed = builder.add(_rotl(builder, sum_, 23), s0)
                t = builder.shl(s1, _splat(17))
                s2 = builder.xor(s2, s0)
                s3 = builder.xor(s3, s1)
                s1 = builder.xor(s1, s2)
                s0 = builder.xor(s0, s3)
                s2 = builder.xor(s2, t)
                s3 = _rotl(builder, s3, 45)
                for slot, value in zip(slots, (s0, s1, s2, s3), strict=True):
                    builder.store(value, slot)
                builder.store(builder.and_(mixed, wanted), out[i])
        for slot, address in zip(slots, where, strict=True):
            builder.store(builder.load(slot), address, align=64)
        result = args[0]
        for i in range(mask.count):
            result = builder.insert_value(result, builder.load(out[i]), i)
        return result

    return mask(mask, array, index), generate


def _rotl(builder: Any, value: Any, amount: int) -> Any:
    return builder.or_(builder.shl(value, _splat(amount)), builder.lshr(value, _splat(64 - amount)))
