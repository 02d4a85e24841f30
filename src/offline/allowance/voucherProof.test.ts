import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SpentVouchers, VoucherKey } from '../../contract/redemptions/signedVouchers.ts'
import { signedPart, writeSignedVoucher } from '../../domain/signedVouchers.ts'
import { addSpent, emptyFilter } from '../../domain/spentFilter.ts'
import { withCheckDigit } from '../../domain/vouchers.ts'
import { deviceStore } from '../storage/userStore.ts'
import { storePublicList } from '../store/storeReferenceList.ts'

const TODAY = '2026-11-27'
const NOW = Date.parse('2026-11-27T04:00:00Z')
const FACTS = { key: 2, serial: withCheckDigit('200483920118'), denomination_cents: 1_000, expires_on: '2027-06-30' }

const { privateKey, publicKey } = (await crypto.subtle.generateKey({ name: 'Ed25519' }, true, [
  'sign',
  'verify',
])) as CryptoKeyPair
const { x } = await crypto.subtle.exportKey('jwk', publicKey)

const sign = async (bytes: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(await crypto.subtle.sign({ name: 'Ed25519' }, privateKey, bytes))
const signed = async (given: Partial<typeof FACTS> = {}) => {
  const facts = { ...FACTS, ...given }
  return writeSignedVoucher(facts, await sign(signedPart(facts)))
}

const key = (given: Partial<VoucherKey> = {}): VoucherKey => ({
  id: 2,
  public_key: x!,
  ...given,
})

let stored = NOW - 3_600_000
const store = (list: 'voucherKeys' | 'spentVouchers', data: unknown, at = (stored += 1)) =>
  storePublicList(list, data, at)

function spent(...serials: string[]): SpentVouchers {
  const filter = emptyFilter(100)
  for (const serial of serials) addSpent(filter, serial)
  return { filter: Buffer.from(filter).toString('base64') }
}

beforeEach(async () => {
  await store('voucherKeys', [key({ id: 1, public_key: 'A'.repeat(43) }), key()])
  await store('spentVouchers', spent())
})
afterEach(() => vi.restoreAllMocks())

/** Simulates a browser engine without Ed25519 in WebCrypto. */
function withoutEd25519() {
  const { importKey } = crypto.subtle
  return vi
    .spyOn(crypto.subtle, 'importKey')
    .mockImplementation((...args: unknown[]) =>
      (args[2] as { name: string }).name === 'Ed25519'
        ? Promise.reject(new DOMException('no such algorithm', 'NotSupportedError'))
        : importKey.apply(crypto.subtle, args as never),
    )
}

describe.each([
  ['with the browser’s Ed25519', () => undefined],
  ['with the library for browsers without Ed25519', withoutEd25519],
])('a voucher, proven on the device %s,', (_, engine) => {
  const load = async () => {
    const spied = engine()
    vi.resetModules()
    const { proveVoucher } = await import('./voucherProof.ts')
    const prove = (text: string) => proveVoucher(text, { today: TODAY, now: NOW })
    return { prove, spied }
  }

  it('is genuine, and has the facts of its code', async () => {
    const { prove, spied } = await load()
    const { serial, denomination_cents, expires_on } = FACTS
    const genuine = { is: 'genuine', serial, denomination_cents, expires_on }
    expect(await prove(await signed())).toEqual(genuine)
    expect(await prove(`${(await signed()).toLowerCase()}\r`)).toEqual(genuine)
    expect(spied?.mock.calls.map(([format]) => format) ?? ['raw']).toEqual(['raw'])
  })

  it('is forged if any of its characters is changed', async () => {
    const { prove } = await load()
    const text = await signed()
    const found = new Set<string>()
    for (let at = 5; at < text.length; at += 1) {
      const other = text[at] === '1' ? '2' : '1'
      const proof = await prove(text.slice(0, at) + other + text.slice(at + 1))
      found.add(proof.is === 'not' ? proof.why : proof.is)
    }
    // If the id of the key was changed, the code has an unknown key.
    expect([...found].toSorted()).toEqual(['forged', 'unknown key'])
  })

  it.each([
    ['worth more', { denomination_cents: 100_000 }],
    ['valid for longer', { expires_on: '2028-06-30' }],
    ['another voucher', { serial: withCheckDigit('200483920119') }],
    ['of another key', { key: 1 }],
  ])('is forged if it is %s under the same signature', async (_name, altered) => {
    const { prove } = await load()
    const text = writeSignedVoucher({ ...FACTS, ...altered }, await sign(signedPart(FACTS)))
    expect(await prove(text)).toEqual({ is: 'not', why: 'forged' })
  })
})

describe('a list that a proof needs', () => {
  const HOUR = 3_600_000

  it('is fetched if it is missing or older than an hour, whatever the other list is', async () => {
    const { staleProofLists } = await import('./voucherProof.ts')
    await store('voucherKeys', [key()], NOW)
    await store('spentVouchers', spent(), NOW)
    expect(await staleProofLists(NOW + HOUR)).toEqual([])
    expect(await staleProofLists(NOW + HOUR + 1)).toEqual(['voucherKeys', 'spentVouchers'])
    await store('voucherKeys', [key()], NOW + HOUR)
    expect(await staleProofLists(NOW + HOUR + 1)).toEqual(['spentVouchers'])
    expect(await staleProofLists(NOW - HOUR), 'the clock was turned back').toEqual(['voucherKeys', 'spentVouchers'])
    await deviceStore().lists.clear()
    expect(await staleProofLists(NOW)).toEqual(['voucherKeys', 'spentVouchers'])
  })
})

describe('a voucher without a connection', () => {
  /** Proves a code like a page that was just opened. */
  const prove = async (text: string, at: { today?: string; now?: number } = {}) => {
    vi.resetModules()
    const { proveVoucher } = await import('./voucherProof.ts')
    return proveVoucher(text, { today: TODAY, now: NOW, ...at })
  }

  it('is proven as soon as a missing list has come', async () => {
    vi.resetModules()
    const { proveVoucher } = await import('./voucherProof.ts')
    await deviceStore().lists.delete('spentVouchers')
    const text = await signed()
    expect(await proveVoucher(text, { today: TODAY, now: NOW })).toEqual({ is: 'not', why: 'lists' })
    await store('spentVouchers', spent())
    expect(await proveVoucher(text, { today: TODAY, now: NOW })).toMatchObject({ is: 'genuine' })
  })

  it('is unsigned if its code is a serial in any form', async () => {
    expect(await prove(FACTS.serial)).toEqual({ is: 'not', why: 'unsigned' })
    expect(await prove(`HRP1.${FACTS.serial}`)).toEqual({ is: 'not', why: 'unsigned' })
  })

  it('is forged if only a part of its code was read', async () => {
    expect(await prove((await signed()).slice(0, -1))).toEqual({ is: 'not', why: 'forged' })
    expect(await prove('HRP2:')).toEqual({ is: 'not', why: 'forged' })
  })

  it('is valid for the whole day on which it expires', async () => {
    const text = await signed({ expires_on: TODAY })
    expect(await prove(text)).toMatchObject({ is: 'genuine' })
    expect(await prove(text, { today: '2026-11-28' })).toEqual({ is: 'not', why: 'expired' })
  })

  it('is refused if this device does not know its key', async () => {
    expect(await prove(await signed({ key: 3 }))).toEqual({ is: 'not', why: 'unknown key' })
    await store('voucherKeys', [])
    expect(await prove(await signed())).toEqual({ is: 'not', why: 'unknown key' })
  })

  it('is refused if the filter contains it', async () => {
    await store('spentVouchers', spent(FACTS.serial))
    expect(await prove(await signed())).toEqual({ is: 'not', why: 'spent' })
    await store('spentVouchers', spent())
    expect(await prove(await signed())).toMatchObject({ is: 'genuine' })
  })

  it('is not proven with a filter older than two days, or without one', async () => {
    const unready = { is: 'not', why: 'lists' }
    await store('spentVouchers', spent(), NOW - 48 * 3_600_000)
    expect(await prove(await signed())).toMatchObject({ is: 'genuine' })
    expect(await prove(await signed(), { now: NOW + 1 })).toEqual(unready)
    await store('spentVouchers', { filter: '' })
    expect(await prove(await signed())).toEqual(unready)
    await store('spentVouchers', { rows: [] })
    expect(await prove(await signed())).toEqual(unready)
    await deviceStore().lists.delete('spentVouchers')
    expect(await prove(await signed())).toEqual(unready)
    // The reason in the voucher itself comes first.
    expect(await prove(await signed(), { today: '2027-07-01' })).toEqual({ is: 'not', why: 'expired' })
  })

  it('is not proven without keys', async () => {
    const unready = { is: 'not', why: 'lists' }
    await store('voucherKeys', [{ id: 2, public_key: 'short' }])
    expect(await prove(await signed())).toEqual(unready)
    await deviceStore().lists.delete('voucherKeys')
    expect(await prove(await signed())).toEqual(unready)
  })
})
