import { beforeEach, expect, it } from 'vitest'
import { ApiError } from '../../api/ApiError.ts'
import { AccountDraft, type AccountFacts, type Answers, type KeptDraft, type StoredDraft } from './AccountDraft.ts'

const PRISTINE = { uen: '', name: 'Kopi' }

let account: StoredDraft | null
let revisions: number
/** Set to fail the next save: before it arrives, or after. */
let fault: 'before' | 'after' | undefined
beforeEach(() => {
  account = null
  revisions = 0
  fault = undefined
})

const store = {
  read: async () => account,
  save: async (revision: number | null, values: Answers | null) => {
    const failed = fault
    fault = undefined
    const network = new ApiError({ code: 'NETWORK', statusMessage: 'no' })
    if (failed === 'before') throw network
    if ((account?.revision ?? null) !== revision) {
      throw new ApiError({ code: 'STALE_REVISION', statusCode: 409, statusMessage: 'stale' })
    }
    account = values && { revision: (revisions += 1), savedAt: new Date(revisions), values }
    if (failed === 'after') throw network
    return account
  },
}

/** A form on one device, with what it stored about its draft. */
async function device(kept?: KeptDraft) {
  const screen: { values: Answers; facts: AccountFacts } = { values: PRISTINE, facts: { state: 'unread' } }
  const draft = new AccountDraft(store, PRISTINE, (facts) => (screen.facts = facts))
  const fill = (values: Answers) => {
    screen.values = values
    draft.show({ values, adopt: fill })
  }
  fill(kept?.values ?? PRISTINE)
  await draft.begin(kept)
  const type = (uen: string) => fill({ ...screen.values, uen })
  return { screen, draft, type }
}

it('what one device typed stands in the form of the next', async () => {
  const phone = await device()
  phone.type('2018')
  expect(await phone.draft.sync()).toBe(true)
  const laptop = await device()
  expect(laptop.screen.values).toEqual({ uen: '2018', name: 'Kopi' })
  laptop.type('2019')
  await laptop.draft.sync()
  await phone.draft.sync({ again: true })
  expect(phone.screen.values).toMatchObject({ uen: '2019' })
})

it('of two devices that typed at once, the second is told, and nothing changes until it chooses', async () => {
  const [phone, laptop] = await Promise.all([device(), device()])
  phone.type('1')
  laptop.type('2')
  await phone.draft.sync()
  expect(await laptop.draft.sync()).toBe(false)
  expect(laptop.screen.facts.other).toMatchObject({ values: { uen: '1' } })
  laptop.type('22')
  expect(await laptop.draft.sync()).toBe(false)
  expect([account?.values['uen'], laptop.screen.values['uen']]).toEqual(['1', '22'])

  laptop.draft.choose('mine')
  expect(await laptop.draft.sync()).toBe(true)
  expect(account?.values).toMatchObject({ uen: '22' })
  phone.type('3')
  await phone.draft.sync()
  phone.draft.choose('theirs')
  expect(await phone.draft.sync()).toBe(true)
  expect([account?.values['uen'], phone.screen.values['uen']]).toEqual(['22', '22'])
})

it.each(['before', 'after'] as const)('a save whose connection broke %s it arrived is no conflict', async (when) => {
  const { draft, type, screen } = await device()
  fault = when
  type('1')
  expect(await draft.sync()).toBe(false)
  expect(screen.facts.state).toBe('waiting')
  type('12')
  expect(await draft.sync()).toBe(true)
  expect(account?.values).toMatchObject({ uen: '12' })
})

it('answers that a device kept without a connection are sent later, and compared with newer ones', async () => {
  account = { revision: 7, savedAt: new Date(7), values: { ...PRISTINE, uen: '1' } }
  const unsent = { ...PRISTINE, uen: '2' }
  const behind = await device({ revision: 6, isSent: false, values: unsent })
  expect(behind.screen.facts.other).toBe(account)
  expect(behind.draft.link).toEqual({ revision: 6, isSent: false })

  await device({ revision: 7, isSent: false, values: unsent })
  expect(account.values).toEqual(unsent)
})

it('a draft that was discarded on one device goes on the other, unless it has answers of its own', async () => {
  const phone = await device()
  phone.type('1')
  await phone.draft.sync()
  const laptop = await device()
  phone.type('')
  await phone.draft.sync()
  expect(account).toBeNull()
  await laptop.draft.sync({ again: true })
  expect(laptop.screen.values).toEqual(PRISTINE)

  laptop.type('2')
  await laptop.draft.sync()
  account = null
  const late = await device({ revision: 1, isSent: false, values: { ...PRISTINE, uen: '3' } })
  expect(late.screen.facts.other).toBeNull()
  expect(late.screen.values).toMatchObject({ uen: '3' })
})
