"""The bundled games: rule sheets, the parameters that some of them take, and how a name finds its rules."""
