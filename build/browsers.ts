import project from '../package.json' with { type: 'json' }

const SUPPORTED = /^(chrome|edge|firefox|safari|ios_saf) >= ([\d.]+)$/

/** The browsers that package.json supports, in browserslist's words, each with its oldest version. */
export const OLDEST_BROWSERS: readonly (readonly [browser: string, version: string])[] = project.browserslist.map(
  (line) => {
    const [, browser, version] = SUPPORTED.exec(line) ?? []
    if (browser === undefined || version === undefined) throw new Error(`package.json: "${line}" is no oldest version`)
    return [browser, version]
  },
)

/** The same browsers in Vite's words: Vite rewrites newer syntax for them. */
export const BUILD_TARGET = OLDEST_BROWSERS.map(([browser, version]) => browser.replace('ios_saf', 'ios') + version)
