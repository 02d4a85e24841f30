import { ApiError } from '../../api/ApiError.ts'

export type Answers = Readonly<Record<string, unknown>>

/** The account's copy of a draft. */
export interface StoredDraft {
  revision: number
  savedAt: Date
  values: Answers
}

type Saved = Omit<StoredDraft, 'values'>

/** Where an account keeps one draft. Both calls throw ApiError. */
export interface DraftStore {
  read: () => Promise<StoredDraft | null>
  /** Stores the values over this revision of the draft; null removes it. With STALE_REVISION another device has changed it. */
  save: (revision: number | null, values: Answers | null) => Promise<Saved | null>
}

/** The link from the device's copy to the account's: the revision it continues, and whether the account has the same answers. */
export interface Link {
  revision: number | null
  isSent: boolean
}

export type KeptDraft = Link & { values: Answers }

export interface AccountFacts {
  /** `waiting`: the server cannot be reached. `refused`: it does not take this draft. */
  state: 'unread' | 'saved' | 'waiting' | 'refused'
  /** When the account's copy was stored; undefined while there is none. */
  savedAt?: Date | undefined
  /** When the answers were stored that the form took from the account. */
  adopted?: Date | undefined
  /** Set while the person has to choose: the draft of another device, null if it was removed there. */
  other?: StoredDraft | null | undefined
}

interface Form {
  values: Answers
  /** Shows the answers of another device, and calls `show` before it returns. */
  adopt: (values: Answers) => void
}

/**
 * Keeps the account's copy of a draft equal to the form, and the form equal to a newer copy. If both have changed, neither is overwritten until the
 * person has chosen. The server's revision says what is newer, because clocks of devices differ.
 */
export class AccountDraft {
  readonly #store: DraftStore
  readonly #pristine: Answers
  readonly #changed: (facts: AccountFacts) => void
  #form: Form
  #facts: AccountFacts = { state: 'unread' }
  #revision: number | null = null
  /** The answers of that revision; undefined if this device does not know them. */
  #stored: Answers | undefined
  /** Answers that were sent and may have arrived, although no confirmation came. */
  #sent: Answers[] = []
  #isRead = false
  #isEnded = false
  #run: Promise<void> | undefined

  /** `pristine` are the values before anything was typed. */
  constructor(store: DraftStore, pristine: Answers, changed: (facts: AccountFacts) => void) {
    this.#store = store
    this.#pristine = pristine
    this.#changed = changed
    this.#form = { values: pristine, adopt: () => undefined }
  }

  /** Takes the form as it is now. */
  show(form: Form): void {
    this.#form = form
  }

  /** Compares the form, which shows the device's copy if there is one, with the account. */
  async begin(kept?: KeptDraft): Promise<void> {
    this.#revision = kept?.revision ?? null
    if (kept?.isSent !== false) this.#stored = kept?.values ?? this.#pristine
    await this.sync()
  }

  /** Sends nothing more: the answers were submitted. */
  end(): void {
    this.#isEnded = true
  }

  get link(): Link {
    return { revision: this.#revision, isSent: !this.#isBehind }
  }

  /** Brings both copies together. Resolves to true if the account has what is in the form. */
  async sync({ again = false }: { again?: boolean } = {}): Promise<boolean> {
    await this.#run
    this.#run ??= this.#bringTogether(again).finally(() => (this.#run = undefined))
    await this.#run
    return this.#facts.state === 'saved' && this.#facts.other === undefined && !this.#isBehind
  }

  /** Goes on with the answers of this form, or with those of the other device. */
  choose(whose: 'mine' | 'theirs'): void {
    const { other } = this.#facts
    if (other === undefined) return
    if (whose === 'theirs') return this.#adopt(other)
    this.#revision = other?.revision ?? null
    this.#stored = undefined
    this.#tell({ state: 'saved', savedAt: other?.savedAt, other: undefined })
    void this.sync()
  }

  get #isBehind(): boolean {
    return this.#stored === undefined || countDifferent(this.#stored, this.#form.values) > 0
  }

  async #bringTogether(again: boolean): Promise<void> {
    if (this.#isEnded || this.#facts.other !== undefined) return
    try {
      if ((again || !this.#isRead) && !this.#meet(await this.#store.read())) return
      if (this.#isBehind) await this.#send(this.#form.values)
      this.#tell({ state: 'saved' })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#tell({ state: error.isTransient ? 'waiting' : 'refused' })
    }
  }

  async #send(values: Answers): Promise<void> {
    this.#sent.push(values)
    const isEmpty = countDifferent(values, this.#pristine) === 0
    try {
      this.#follow(await this.#store.save(this.#revision, isEmpty ? null : values), values)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'STALE_REVISION')) throw error
      if (this.#meet(await this.#store.read()) && this.#isBehind) await this.#send(this.#form.values)
    }
  }

  /** Compares the account's copy with the form. Returns true if the form continues it. */
  #meet(theirs: StoredDraft | null): boolean {
    this.#isRead = true
    const values = theirs?.values ?? this.#pristine
    const isOwn = [...this.#sent, this.#form.values].some((mine) => countDifferent(mine, values) === 0)
    if (isOwn || (theirs?.revision ?? null) === this.#revision) {
      this.#follow(theirs, values)
      return true
    }
    if (this.#isBehind) this.#tell({ other: theirs })
    else this.#adopt(theirs)
    return false
  }

  #adopt(theirs: StoredDraft | null) {
    const values = theirs?.values ?? this.#pristine
    this.#follow(theirs, values)
    this.#form.adopt(values)
    this.#tell({ state: 'saved', adopted: theirs?.savedAt, other: undefined })
  }

  #follow(draft: Saved | null, values: Answers) {
    this.#revision = draft?.revision ?? null
    this.#stored = values
    this.#sent = []
    this.#tell({ savedAt: draft?.savedAt })
  }

  #tell(news: Partial<AccountFacts>) {
    const before = this.#facts
    this.#facts = { ...before, ...news }
    if (Object.entries(news).some(([name, fact]) => before[name as keyof AccountFacts] !== fact)) {
      this.#changed(this.#facts)
    }
  }
}

/** A draft that the account keeps, too. `isWaiting`: the account lacks answers, because the server cannot be reached. */
export interface AccountCopy extends AccountFacts {
  draft: AccountDraft
  isWaiting: boolean
}

/** Counts the answers that differ. */
export const countDifferent = (one: Answers, other: Answers): number =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]),
  ).length
