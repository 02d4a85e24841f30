import { resolve } from 'node:path'
import type { Rolldown } from 'vite'

/** The facts that Rolldown gives about a module while it makes the chunks. */
interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

const SRC = resolve(import.meta.dirname, '../src')
const FIRST = `${SRC}/main.tsx`
const LOGIN = `${SRC}/routes/login.tsx?tsr-split=component`
const FRAME = `${SRC}/routes/_app.tsx?tsr-split=component`
/** Modules with the file names or the styles of every screen: their chunk changes whenever any screen changes. */
const NAMES_SCREENS = /\/src\/(main\.tsx|styles\.css|routeTree\.gen\.ts|routes\/)/
/** Modules that only the login uses. They have their own chunk, so a change of the login changes no other chunk. */
const LOGIN_ALONE = /\/src\/features\/accounts\/login\/Login/

/**
 * Puts files that are needed together into one chunk: a start asks the worker for each chunk, and a few lines are not worth a
 * request. A module goes to the first group that matches it.
 *
 * - `core`: the modules that every first page loads, and those that the login shares with other screens. The names of the screens
 *   are elsewhere: with them `core` would change at each release, and so would every chunk that imports from it.
 * - `dexie`: the largest part of the frame. It changes only with Dexie, and runs in a task of its own (main.tsx).
 * - `frame`: the frame around every screen after the login.
 * - `shared`: small modules of at least three screens, on any layer. A larger module stays alone, so that only the screens that
 *   need it fetch it.
 */
export const chunkGroups = () => [
  { name: chunkOf('core', [FIRST, LOGIN], LOGIN_ALONE), debugName: 'core' },
  { name: 'dexie', test: /\/node_modules\/dexie\// },
  { name: chunkOf('frame', [FRAME]), debugName: 'frame' },
  { name: 'shared', test: /\/src\/(blocks|contract|domain|offline|ui)\//, minShareCount: 3, maxModuleSize: 3_000 },
]

function chunkOf(name: string, entries: string[], except?: RegExp): (id: string, graph: Graph) => string | null {
  let inside: Set<string> | undefined
  return (id, graph) => {
    inside ??= reachedFrom(entries, graph)
    return inside.has(id) && !except?.test(id) ? name : null
  }
}

function reachedFrom(entries: string[], graph: Graph): Set<string> {
  const reached = new Set(entries)
  for (const id of reached) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(next)
  return new Set([...reached].filter((id) => !NAMES_SCREENS.test(id)))
}

/** The texts that every visitor may read, also offline. */
const LEGAL = ['terms-and-conditions', 'terms-of-use', 'voucher-management-guidelines'].map(
  (page) => `${SRC}/routes/${page}.tsx?tsr-split=component`,
)

/** The routes that a visitor of the login needs: the login, the legal texts, and the frame around the screens behind it. */
const FIRST_ROUTES = [LOGIN, ...LEGAL, FRAME]

/** Chunks whose dynamic imports load only when somebody presses something on a screen. */
const OF_MANY_SCREENS = ['frame', 'shared']

/** The files that the login and the first code after it import, without those of other screens. */
export function firstFiles(bundle: Rolldown.OutputBundle): Set<string> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const isOfScreen = ({ facadeModuleId }: Rolldown.OutputChunk) => facadeModuleId?.includes('tsr-split=')
  const found = new Set(chunks.filter((one) => one.isEntry || FIRST_ROUTES.includes(one.facadeModuleId ?? '')))
  for (const chunk of found) {
    for (const next of chunks) {
      const isSoon =
        !OF_MANY_SCREENS.includes(chunk.name) && chunk.dynamicImports.includes(next.fileName) && !isOfScreen(next)
      if (isSoon || chunk.imports.includes(next.fileName)) found.add(next)
    }
  }
  const styles = Object.values(bundle).filter((file) => file.type === 'asset' && file.fileName.endsWith('.css'))
  return new Set([...found, ...styles].map(({ fileName }) => fileName))
}
