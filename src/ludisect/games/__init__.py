"""The bundled games: a library of rule sheets, parameters that some of them take, and how a name finds its sheet."""
