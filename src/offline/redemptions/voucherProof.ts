import * as v from 'valibot'
import { SpentVouchers, voucherKeys, type VoucherKey } from '../../contract/redemptions/signedVouchers.ts'
import { isSignedVoucher, readSignedVoucher } from '../../domain/signedVouchers.ts'
import { readSpentFilter, shortHash, type SpentFilter } from '../../domain/spentFilter.ts'
import { deviceStore } from '../storage/userStore.ts'
import type { StoredList } from '../store/databases.ts'

// What a device can say of a voucher by itself: who made it, and whether it was spent when the device last heard of that. Loaded at
// the counter, once it takes vouchers without a check.

export type VoucherProof =
  | { is: 'genuine'; serial: string; denomination_cents: number; expires_on: string }
  /** A serial, or anything else that nobody has signed. */
  | { is: 'unsigned' }
  /** `spent`: it may be, for one in 256 others looks the same. */
  | { is: 'refused'; why: 'forged' | 'expired' | 'unknown key' | 'ended key' | 'spent' }
  /** This device lacks what it proves vouchers with, or the filter is too old. */
  | { is: 'unready'; missing: 'keys' | 'filter' }

type Signed = 'good' | 'bad' | 'unknown key' | 'ended key'

/** Older than that, too much may be spent that it does not know of. */
const FILTER_MOST_MS = 48 * 60 * 60_000

interface ProofMoment {
  /** The Singapore day. */
  today: string
  /** Milliseconds of the wall clock; for the age of the filter. */
  now: number
}

/** Proves what was scanned, with what this device has stored and without a call. Never throws: what cannot be read is missing. */
export async function proveVoucher(scanned: string, { today, now }: ProofMoment): Promise<VoucherProof> {
  if (!isSignedVoucher(scanned)) return { is: 'unsigned' }
  const read = readSignedVoucher(scanned)
  if (!read) return refused('forged')
  const { keys, spent } = await storedLists(now)
  if (!keys) return { is: 'unready', missing: 'keys' }
  const signed = await verifyWith(keys, read.key, read.signed, read.signature)
  if (signed !== 'good') return refused(signed === 'bad' ? 'forged' : signed)
  if (read.expires_on < today) return refused('expired')
  if (!spent || now - spent.asOf > FILTER_MOST_MS) return { is: 'unready', missing: 'filter' }
  if (spent.has(read.serial)) return refused('spent')
  const { serial, denomination_cents, expires_on } = read
  return { is: 'genuine', serial, denomination_cents, expires_on }
}

/** Reads and loads ahead what a proof needs, so that the first one is as quick as the others. */
export async function prepareProof(now: number): Promise<void> {
  verifier ??= findVerifier()
  await Promise.all([storedLists(now), verifier])
}

/** Until then what is stored is good enough: a large filter is a download of more than a megabyte. */
const LIST_FRESH_MS = 60 * 60_000

const PROOF_LISTS = ['voucherKeys', 'spentVouchers'] as const

/** What has to be fetched before the next proof: lists that are not stored, or older than an hour by this device's clock. */
export async function staleProofLists(now: number): Promise<ProofList[]> {
  const rows = await Promise.all(PROOF_LISTS.map(storedList))
  return PROOF_LISTS.filter((_, at) => {
    const age = now - (rows[at]?.fetchedAt ?? -Infinity)
    return age < 0 || age > LIST_FRESH_MS
  })
}

const refused = (why: Extract<VoucherProof, { is: 'refused' }>['why']) => ({ is: 'refused' as const, why })

/** Whether a key of the programme has signed these bytes, as far as this device knows the keys. Never throws. */
export async function verifySigned(key: number, bytes: Uint8Array, signature: Uint8Array): Promise<Signed> {
  return verifyWith((await storedKeys()) ?? [], key, bytes, signature)
}

async function verifyWith(keys: VoucherKey[], id: number, bytes: Uint8Array, signature: Uint8Array): Promise<Signed> {
  const key = keys.find((one) => one.id === id)
  if (!key) return 'unknown key'
  if (key.ended !== null) return 'ended key'
  verifier ??= findVerifier()
  const verify = await verifier
  const isGood = await verify(fromBase64(key.public_key), copied(bytes), copied(signature)).catch(() => false)
  return isGood ? 'good' : 'bad'
}

type Verify = (key: Bytes, bytes: Bytes, signature: Bytes) => Promise<boolean>
type Bytes = Uint8Array<ArrayBuffer>

let verifier: Promise<Verify> | undefined

/** The engine's own where it has one (Chrome 137, Firefox 129, Safari 17), else an implementation that only then is loaded. */
async function findVerifier(): Promise<Verify> {
  const hasOwn = await importKey(BASE_POINT).then(
    () => true,
    () => false,
  )
  if (hasOwn)
    return async (key, bytes, signature) => crypto.subtle.verify(ED25519, await importKey(key), signature, bytes)
  const { getPublicKeyAsync, verifyAsync } = await import('@noble/ed25519')
  // Has it work out its tables now, and not with the first voucher.
  await getPublicKeyAsync(new Uint8Array(32))
  // As WebCrypto judges: strictly by RFC 8032.
  return (key, bytes, signature) => verifyAsync(signature, bytes, key, { zip215: false })
}

const ED25519 = { name: 'Ed25519' }
/** Of the curve: a key like any other. */
const BASE_POINT = Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 0x58 : 0x66))
const importKey = async (key: Bytes) => crypto.subtle.importKey('raw', key, ED25519, false, ['verify'])

const copied = (bytes: Uint8Array): Bytes => Uint8Array.from(bytes)

interface Stored {
  keys: VoucherKey[] | undefined
  spent: Spent | undefined
}

/** What has just been read is not read again for the next voucher of a bill: a large filter takes longer than all the rest. */
const KEPT_MS = 60_000

let lastStored: (Stored & { readAt: number }) | undefined

async function storedLists(now: number): Promise<Stored> {
  const age = lastStored ? now - lastStored.readAt : Infinity
  if (lastStored?.keys && lastStored.spent && age >= 0 && age < KEPT_MS) return lastStored
  lastStored = { readAt: now, keys: await storedKeys(), spent: await storedSpent() }
  return lastStored
}

const storedKeys = async (): Promise<VoucherKey[] | undefined> => {
  const parsed = v.safeParse(voucherKeys.answer, (await storedList('voucherKeys'))?.data)
  return parsed.success ? parsed.output : undefined
}

interface Spent extends SpentFilter {
  /** When the server said so, by the clock of this device. */
  asOf: number
}

/** What was unpacked stays for as long as it is what is stored. */
let lastRead: { fetchedAt: number; spent: Spent | undefined } | undefined

async function storedSpent(): Promise<Spent | undefined> {
  const row = await storedList('spentVouchers')
  if (!row) return undefined
  if (lastRead?.fetchedAt !== row.fetchedAt) lastRead = { fetchedAt: row.fetchedAt, spent: readSpent(row) }
  return lastRead.spent
}

function readSpent({ data, fetchedAt }: StoredList): Spent | undefined {
  const parsed = v.safeParse(SpentVouchers, data)
  const filter = parsed.success ? readSpentFilter(fromBase64(parsed.output.filter)) : undefined
  if (!parsed.success || !filter) return undefined
  const since = shortHashes(fromBase64(parsed.output.since))
  return {
    asOf: fetchedAt,
    has: (serial) => since.has(shortHash(serial)) || filter.has(serial),
  }
}

function shortHashes(bytes: Bytes): Set<number> {
  const hashes = new Set<number>()
  for (let at = 0; at + 2 < bytes.length; at += 3) {
    hashes.add(bytes[at]! * 2 ** 16 + bytes[at + 1]! * 2 ** 8 + bytes[at + 2]!)
  }
  return hashes
}

type ProofList = (typeof PROOF_LISTS)[number]

const storedList = (key: ProofList) =>
  deviceStore()
    .lists.get(key)
    .catch(() => undefined)

/** Also of base64url. The schemas have checked the letters. */
function fromBase64(text: string): Bytes {
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = new Uint8Array(letters.length)
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.codePointAt(at)!
  return bytes
}
