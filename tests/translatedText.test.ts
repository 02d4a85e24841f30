import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')

/** What React would change, take away or insert beside a text that a translator has replaced. */
const BREAKS: Record<string, string> = {
  staleBesideText: '({ cents }) => <b>Still to pay {cents}</b>',
  staleBesideElement: '({ label }) => <p><Icon />{label}</p>',
  staleChoice: "({ on }) => <p><i />{on ? 'On' : 'Off'}</p>",
  staleInFragment: '({ at }: { at: string }) => <>{at}</>',
  textThatGoes: "({ full }) => <p><b>Bill</b>{full && ' No more.'}</p>",
  textOrElement: "({ known }) => <p><i />{known ? 'Known' : <b>Not yet</b>}</p>",
  textInFragmentThatGoes: '({ link }) => <p><i />{link && <> · <a href={link}>Open</a></>}</p>',
  elementBeforeText: '({ busy }) => <p>{busy && <i />}Save</p>',
  swapBeforeText: '({ busy }) => <p>{busy ? <i /> : <b />}Save</p>',
  listBeforeText: '({ all }) => <p>{all.map((one) => <i key={one} />)}The end</p>',
  componentBeforeText: '() => <p><Age />.</p>',
  childrenBesideElement: '({ busy, children }) => <p>{busy && <i />}{children}</p>',
  nodeBesideElement: '({ end }: { end: ReactNode }) => <p><i />{end}</p>',
  textOfComponent: '({ at }) => `as of ${at}`',
}

const HOLDS: Record<string, string> = {
  wholeText: '({ cents }) => <b>{`Still to pay ${cents}`}</b>',
  soleChoice: "({ on }) => <p>{on ? 'On' : <i />}</p>",
  staticText: '() => <p><Icon />Save <b>all</b> of it</p>',
  fixedNumber: '() => <p>At most {LIMITS.rows} rows</p>',
  textThenElement: '({ busy }) => <p>Save{busy && <i />}</p>',
  elementBetween: '({ busy }) => <p>{busy && <i />}<b>Save</b> now</p>',
  ownElement: '({ cents }) => <p>Still to pay <b>{cents}</b></p>',
  elementsByType: '({ end }: { end: Elements }) => <p><i />{end}</p>',
  untranslated: '({ code }) => <p translate="no">{code.slice(0, 4)} {code.slice(4)}</p>',
}

it('the lint finds every text that breaks when a page is translated, and no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'texts-'))
  for (const [name, component] of Object.entries({ ...BREAKS, ...HOLDS })) {
    writeFileSync(join(folder, `${name}.tsx`), `export const Part = ${component}\n`)
  }
  const config = join(folder, 'lint.json')
  const plugin = join(ROOT, 'build/translatedText.js')
  writeFileSync(config, JSON.stringify({ jsPlugins: [plugin], plugins: [], categories: OFF, rules: RULE }))
  const args = ['-c', config, '--format', 'json', folder]
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/oxlint'), args, { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string }[] }
  const found = new Set(diagnostics.map(({ filename }) => basename(filename, '.tsx')))
  expect([...found].toSorted()).toEqual(Object.keys(BREAKS).toSorted())
}, 30_000)

const OFF = { correctness: 'off' }
const RULE = { 'translated-text/no-bare-text': 'error' }
