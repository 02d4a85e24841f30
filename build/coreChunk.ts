import { resolve } from 'node:path'

/** What Rolldown tells of a module while it cuts the chunks. */
interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

const FIRST = resolve(import.meta.dirname, '../src/main.tsx')
/** They name the files of every screen, so their own file is another one whenever any screen changes. */
const NAMES_SCREENS = /\/src\/(main\.tsx|routeTree\.gen\.ts|routes\/)/

/**
 * The name for a chunk of what the first script brings for everybody. Left in one file with the names of the screens, it would be
 * another file with each release, and so would all that import from it: the change of one screen would move the whole portal.
 */
export function coreChunk(): (id: string, graph: Graph) => string | null {
  let core: Set<string> | undefined
  return (id, graph) => {
    core ??= firstModules(graph)
    return core.has(id) ? 'core' : null
  }
}

function firstModules(graph: Graph): Set<string> {
  const reached = new Set([FIRST])
  for (const id of reached) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(next)
  return new Set([...reached].filter((id) => !NAMES_SCREENS.test(id)))
}
