import type { Plugin } from 'vite'

const IMPORT = /\bimport\(([`"'])(\.\/[\w.$~-]+\.js)\1\)/g

/**
 * Every import of a file that comes later goes through `__files.importScript` of public/boot.js: most browsers keep a module that
 * failed for the life of the page. A page that has lost boot.js itself imports as ever.
 * @throws Error when the build has no such import: another bundler writes them in another way.
 */
export function retriedImports(): Plugin {
  return {
    name: 'retried-imports',
    apply: 'build',
    generateBundle: {
      // After Vite has listed the files that each import needs.
      order: 'post',
      handler(_, bundle) {
        let count = 0
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue
          chunk.code = chunk.code.replaceAll(IMPORT, (_import, _quote, path: string) => {
            count++
            return `(globalThis.__files?.importScript??(u=>import(u)))(new URL("${path}",import.meta.url).href)`
          })
        }
        if (count === 0) throw new Error('the build has no import that a browser could lose')
      },
    },
  }
}
