import project from '../package.json' with { type: 'json' }

const SUPPORTED = /^(chrome|edge|firefox|safari|ios_saf) >= ([\d.]+)$/

/** What package.json supports: each browser, in browserslist's words, with its oldest version. */
export const OLDEST_BROWSERS: readonly (readonly [browser: string, version: string])[] = project.browserslist.map(
  (line) => {
    const [, browser, version] = SUPPORTED.exec(line) ?? []
    if (browser === undefined || version === undefined) throw new Error(`package.json: "${line}" is no oldest version`)
    return [browser, version]
  },
)

/** The same in Vite's words: newer syntax is written in older one for these. */
export const BUILD_TARGET = OLDEST_BROWSERS.map(([browser, version]) => browser.replace('ios_saf', 'ios') + version)
