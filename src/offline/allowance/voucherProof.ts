import * as v from 'valibot'
import { SpentVouchers, voucherKeys } from '../../contract/redemptions/signedVouchers.ts'
import { fromBase64url } from '../../domain/base64url.ts'
import { isSignedVoucher, readSignedVoucher, type SignedVoucher } from '../../domain/signedVouchers.ts'
import { mayBeSpent } from '../../domain/spentFilter.ts'
import { deviceStore } from '../storage/userStore.ts'

// Proves a voucher on the device alone: the programme signed it, and the last list of spent vouchers does not have it. The counter
// loads this file when it may accept vouchers without a check.

/**
 * Why a voucher is not proven.
 *
 * - `unsigned`: its code is a serial, or has no signature
 * - `spent`: it may be spent; the filter also matches one in 300 unspent vouchers
 * - `lists`: this device has no keys or no filter, or the filter is too old
 */
export type ProofFailure = 'unsigned' | 'forged' | 'expired' | 'unknown key' | 'spent' | 'lists'

type VoucherProof =
  | { is: 'genuine'; serial: string; denomination_cents: number; expires_on: string }
  | { is: 'not'; why: ProofFailure }

/** An older filter is not used: too many vouchers may have been spent since. */
const FILTER_MAX_AGE_MS = 48 * 60 * 60_000

interface ProofMoment {
  /** The Singapore day. */
  today: string
  /** Milliseconds of the wall clock, for the age of the filter. */
  now: number
}

/** Proves a scanned code with the stored lists, without a call. Never throws: a list that cannot be read counts as missing. */
export async function proveVoucher(scanned: string, { today, now }: ProofMoment): Promise<VoucherProof> {
  const read = readSignedVoucher(scanned)
  if (!read) return notProven(isSignedVoucher(scanned) ? 'forged' : 'unsigned')
  const signatureFailure = await checkSignature(read)
  if (signatureFailure) return notProven(signatureFailure)
  if (read.expires_on < today) return notProven('expired')
  const filter = await readFilter(now)
  if (!filter) return notProven('lists')
  if (mayBeSpent(filter, read.serial)) return notProven('spent')
  const { serial, denomination_cents, expires_on } = read
  return { is: 'genuine', serial, denomination_cents, expires_on }
}

const notProven = (why: ProofFailure) => ({ is: 'not' as const, why })

/** Loads the signature check in advance, so that the first proof is as quick as the others. */
export async function prepareProof(): Promise<void> {
  await (verifier ??= findVerifier())
}

/** A younger list is not fetched again: a large filter is a download of more than a megabyte. */
const LIST_FRESH_MS = 60 * 60_000

const PROOF_LISTS = ['voucherKeys', 'spentVouchers'] as const
export type ProofList = (typeof PROOF_LISTS)[number]

/** Returns the lists to fetch: those that are not stored, or are older than an hour by this device's clock. */
export async function staleProofLists(now: number): Promise<ProofList[]> {
  const rows = await Promise.all(PROOF_LISTS.map(readList))
  return PROOF_LISTS.filter((_, at) => {
    const age = now - (rows[at]?.fetchedAt ?? -Infinity)
    return age < 0 || age > LIST_FRESH_MS
  })
}

async function checkSignature(read: SignedVoucher): Promise<ProofFailure | undefined> {
  const keys = v.safeParse(voucherKeys.answer, (await readList('voucherKeys'))?.data)
  if (!keys.success) return 'lists'
  const key = keys.output.find(({ id }) => id === read.key)
  if (!key) return 'unknown key'
  verifier ??= findVerifier()
  const verify = await verifier
  const isGood = await verify(fromBase64url(key.public_key), read.signed, read.signature).catch(() => false)
  return isGood ? undefined : 'forged'
}

type Verify = (key: Bytes, bytes: Bytes, signature: Bytes) => Promise<boolean>
type Bytes = Uint8Array<ArrayBuffer>

let verifier: Promise<Verify> | undefined

/** Returns the browser's own verifier (from Chrome 137, Firefox 129 and Safari 17 on), or loads a library. */
async function findVerifier(): Promise<Verify> {
  const isSupported = await importKey(BASE_POINT).then(
    () => true,
    () => false,
  )
  if (isSupported)
    return async (key, bytes, signature) => crypto.subtle.verify(ED25519, await importKey(key), signature, bytes)
  const { getPublicKeyAsync, verifyAsync } = await import('@noble/ed25519')
  // The library computes its tables now, not at the first voucher.
  await getPublicKeyAsync(new Uint8Array(32))
  // `zip215: false` checks strictly by RFC 8032, like WebCrypto.
  return (key, bytes, signature) => verifyAsync(signature, bytes, key, { zip215: false })
}

const ED25519 = { name: 'Ed25519' }
/** The curve's base point, a valid key to try the browser with. */
const BASE_POINT = Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 0x58 : 0x66))
const importKey = async (key: Bytes) => crypto.subtle.importKey('raw', key, ED25519, false, ['verify'])

/** The filter of the last stored list. It may have more than a megabyte and a cashier waits, so it is decoded only once. */
let decoded: { fetchedAt: number; filter: Bytes | undefined } | undefined

/** Reads the filter; undefined if none is stored, or if it is too old at `now`. */
async function readFilter(now: number): Promise<Bytes | undefined> {
  const row = await readList('spentVouchers')
  if (!row || now - row.fetchedAt > FILTER_MAX_AGE_MS) return undefined
  if (decoded?.fetchedAt !== row.fetchedAt) {
    const parsed = v.safeParse(SpentVouchers, row.data)
    decoded = { fetchedAt: row.fetchedAt, filter: parsed.success ? fromBase64url(parsed.output.filter) : undefined }
  }
  return decoded.filter?.length ? decoded.filter : undefined
}

const readList = (key: ProofList) =>
  deviceStore()
    .lists.get(key)
    .catch(() => undefined)
