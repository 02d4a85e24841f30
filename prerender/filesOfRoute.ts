import type { Rolldown } from 'vite'

/**
 * The scripts of a route file's component and everything they import, in the order in which they are needed.
 * @throws Error when the build has no such route.
 */
export function filesOfRoute(bundle: Rolldown.OutputBundle, route: string): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const entry = chunks.find(({ facadeModuleId }) =>
    facadeModuleId?.includes(`/src/routes/${route}?tsr-split=component`),
  )
  if (!entry) throw new Error(`the build has no chunk of the route ${route}`)
  const files = new Set<string>()
  const add = (chunk: Rolldown.OutputChunk) => {
    if (files.has(chunk.fileName)) return
    files.add(chunk.fileName)
    for (const name of chunk.imports) {
      const imported = chunks.find(({ fileName }) => fileName === name)
      if (imported) add(imported)
    }
  }
  add(entry)
  return [...files]
}
