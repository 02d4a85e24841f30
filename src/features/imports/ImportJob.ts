import { proxy } from 'valtio/vanilla'
import type { Drafts } from '../../offline/storage/drafts.ts'
import { ImportDraft } from './ImportDraft.ts'
import type { ImportKind } from './ImportKind.ts'
import { ImportRows } from './ImportRows.ts'
import { ImportRuns } from './ImportRuns.ts'
import { EMPTY_IMPORT, type ImportState } from './importState.ts'

const SETTLE_MS = 300

/**
 * One import on its way from a file to the server. Everything but the passwords is stored on the device after each change, and
 * before and after each request. After a lost connection or a closed page the import continues from there.
 */
export class ImportJob {
  readonly state = proxy<ImportState>({ ...EMPTY_IMPORT, draft: 'loading' })
  readonly rows: ImportRows
  readonly runs: ImportRuns
  readonly #drafts: Drafts
  readonly #key: string
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(kind: ImportKind, drafts: Drafts) {
    this.#drafts = drafts
    this.#key = `import/${kind.key}`
    this.rows = new ImportRows(kind, this.state, () => this.#storeSoon())
    this.runs = new ImportRuns(this.state, this.rows, () => this.store())
  }

  async load() {
    const found = await this.#drafts.read(this.#key, ImportDraft)
    this.#open(found?.values)
  }

  async begin(draft: ImportDraft) {
    this.#open(draft)
    await this.store()
  }

  async discard() {
    clearTimeout(this.#timer)
    this.#open(undefined)
    await this.#drafts.drop(this.#key).catch(() => undefined)
  }

  passwordsSaved() {
    this.state.passwordsSaved = true
  }

  async store() {
    clearTimeout(this.#timer)
    const { draft } = this.state
    if (!draft || draft === 'loading') return
    this.state.cannotSave = await this.#drafts.keep(this.#key, draft).then(
      () => false,
      () => true,
    )
  }

  #storeSoon() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.store(), SETTLE_MS)
  }

  #open(draft: ImportDraft | undefined) {
    Object.assign(this.state, EMPTY_IMPORT)
    this.rows.open(draft)
  }
}
