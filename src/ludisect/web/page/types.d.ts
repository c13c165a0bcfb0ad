// The shapes of what the server answers and of what the page holds, for the type checker; browsers never see this file.

type Square = [number, number];
type Where = { kind: string; board: number | null; cells: Square[] };
type Move = { role: string; move: string; part: number | null; where: Where | null };
type Cell = { at: Square; holds: string; glyph: string; fluents: string[]; part: number | null };
type Piece = { cells: Square[]; role: string; glyph: string; last: boolean };
type Board = {
  title: string; part: number | null; kind: string; rows: string[]; columns: string[]; unused?: string; cells: Cell[]; pieces?: Piece[];
  nodes?: Square[]; lines?: { ends: Square; cell: number }[];
};
type Position = {
  state: string[]; legal: Record<string, string[]>; terminal: boolean; goals: Record<string, number> | null; to: string[]; ply: number;
  boards: Board[]; moves: Move[]; parts?: any[]; hash?: string; trouble?: string | null;
};
type Game = {
  id: string; kind: string; title?: string; game?: string; source?: string | null; text?: string | null; sum?: string | null; fen?: string | null;
  roles: string[]; turns?: string; fluents?: number; rules?: number; [key: string]: any;
};
type MoveValue = { role: string; move: string; value?: Record<string, number> | null; best: boolean; wins?: boolean | null; incentive?: string | null };
type PartValue = { part: number; value?: any; why?: string; mean?: string | null; temperature?: string | null; thermograph?: any; [key: string]: any };
type Values = {
  exact: boolean; evidence?: any; value?: Record<string, number> | null; values: MoveValue[]; parts?: PartValue[]; total?: any; mean?: string | null;
  temperature?: string | null; outcome?: string | null; conclusion?: string[]; notes?: string[]; limit?: string | null; seconds?: number; [key: string]: any;
};
type Job = {
  id: string; command: string; game: string; state: string; before?: number; seconds?: number; memory?: number;
  step?: { name: string; done: number; of: number | null } | null; result?: any; problem?: any; limit?: string | null; partial?: any;
};
type Knot = {
  id: number; parent: number | null; children: number[]; moves?: Record<string, string>; to?: string | null; comment?: string; mark?: string;
  position: Position | null; values: Values | null; stored?: { value: Record<string, number>; exact?: boolean; old: boolean }; tried?: boolean; part?: number | null; extra?: Record<string, any>;
};
type Study = { game: Game; knots: Map<number, Knot>; current: number; next: number; undo: (() => void)[]; extra: Record<string, any> };
type PartInfo = { part: number; kind: string; name: string; board: number | null; cells: any[]; value: PartValue | null; facts: any };
type Choices = { parts: boolean; values: boolean; coordinates: boolean; letters: boolean; clock: number; engine: string; strategy: string };
interface Window { trustedTypes?: { createPolicy(name: string, rules: any): any } }
interface Element { readonly dataset: DOMStringMap; focus(options?: FocusOptions): void }
interface EventTarget { readonly dataset: DOMStringMap }
type PageState = {
  view: string; tab: string; lit: number | null; study: Study | null; decomposition: any; methods: Record<string, any>; valuesFor: string | null;
  selection: Spot[]; hint: boolean; seats: Record<string, string>; page: string; pending: Record<string, string>;
};
/** Board, row, column. */
type Spot = [number, number, number];
type Command = { keys: string[]; words: string; run: () => any };
/** A point of the chart. */
type Dot = { node: number; ply: number; value: number; heat: number; old?: boolean };
type Limits = { seconds: number; memory?: number };
type JobRequest = { line?: any[]; options?: Record<string, any>; seconds?: number; memory?: number; to?: string | null };
/** The job that works on a position, and what is said of it. */
type Work = { job: Job | null; node: Knot | null; words: string | null; stopped: boolean; cancel: (() => any) | null };
/** Corners of walls are temperature and value. */
type Walls = { left: Square[]; right: Square[]; temperature: number; mean: number };
/** Name, title, and what fills it. */
type Tab = [string, string, (given: any) => any];
type Corner = (at: Square) => Square;
