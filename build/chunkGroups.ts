import { resolve } from 'node:path'
import type { Rolldown } from 'vite'

/** What Rolldown tells of a module while it cuts the chunks. */
interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

const SRC = resolve(import.meta.dirname, '../src')
const FIRST = `${SRC}/main.tsx`
const LOGIN = `${SRC}/routes/login.tsx?tsr-split=component`
const FRAME = `${SRC}/routes/_app.tsx?tsr-split=component`
/** They name the files of every screen, or have their looks, so their own file is another one whenever any screen changes. */
const NAMES_SCREENS = /\/src\/(main\.tsx|styles\.css|routeTree\.gen\.ts|routes\/)/
/** The login's own parts are nobody else's: their file is another one when the login changes, and only that one. */
const LOGIN_ALONE = /\/src\/features\/accounts\/login\/Login/

/**
 * What is needed together is one file: a start asks the worker for each of its files, and a few lines are not worth a file. A
 * module goes to the first group that wants it.
 *
 * - `core`: what the first script brings for everybody, and what the login shares with other screens. Left in one file with the
 *   names of the screens, it would be another file with each release, and so would all that import from it: the change of one
 *   screen would move the whole portal.
 * - `dexie`: the frame's largest part, and another one only with another Dexie. Alone, it also runs in a task of its own (main.tsx).
 * - `frame`: what stands around every screen of who is logged in.
 * - `shared`: small modules of at least three screens, whatever their layer. A larger one stays alone: screens without it do not
 *   fetch it.
 */
export const chunkGroups = () => [
  { name: chunkOf('core', [FIRST, LOGIN], LOGIN_ALONE), debugName: 'core' },
  { name: 'dexie', test: /\/node_modules\/dexie\// },
  { name: chunkOf('frame', [FRAME]), debugName: 'frame' },
  { name: 'shared', test: /\/src\/(blocks|contract|domain|offline|ui)\//, minShareCount: 3, maxModuleSize: 3_000 },
]

function chunkOf(name: string, entries: string[], but?: RegExp): (id: string, graph: Graph) => string | null {
  let inside: Set<string> | undefined
  return (id, graph) => {
    inside ??= reachedFrom(entries, graph)
    return inside.has(id) && !but?.test(id) ? name : null
  }
}

function reachedFrom(entries: string[], graph: Graph): Set<string> {
  const reached = new Set(entries)
  for (const id of reached) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(next)
  return new Set([...reached].filter((id) => !NAMES_SCREENS.test(id)))
}

/** The texts that every visitor may read, also without a connection. */
const LEGAL = ['terms-and-conditions', 'terms-of-use', 'voucher-management-guidelines'].map(
  (page) => `${SRC}/routes/${page}.tsx?tsr-split=component`,
)

/** The routes that a visitor of the login needs: itself, the legal texts, and the frame around the screens behind it. */
const FIRST_ROUTES = [LOGIN, ...LEGAL, FRAME]

/** A press on some screen loads the later imports of these. */
const OF_MANY_SCREENS = ['frame', 'shared']

/** The files that the login and whatever starts behind it import, other screens excepted. */
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
