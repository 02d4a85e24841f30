import * as v from 'valibot'
import { SpentVouchers, voucherKeys } from '../../contract/redemptions/signedVouchers.ts'
import { fromBase64url } from '../../domain/base64url.ts'
import { isSignedVoucher, readSignedVoucher, type SignedVoucher } from '../../domain/signedVouchers.ts'
import { mayBeSpent } from '../../domain/spentFilter.ts'
import { deviceStore } from '../storage/userStore.ts'

// Proves a voucher on the device alone: that the programme signed it, and that it is not in the last list of spent vouchers. Loaded
// at the counter, once it accepts vouchers without a check.

/**
 * Why a code does not prove itself. `unsigned`: a serial, or any other code without a signature. `spent`: it may be spent; the
 * filter also reports one in 300 others. `lists`: this device lacks the keys or the filter, or the filter is too old.
 */
export type ProofLack = 'unsigned' | 'forged' | 'expired' | 'unknown key' | 'spent' | 'lists'

type VoucherProof =
  | { is: 'genuine'; serial: string; denomination_cents: number; expires_on: string }
  | { is: 'not'; why: ProofLack }

/** Vouchers that were spent after an older filter was made could be too many. */
const FILTER_MOST_MS = 48 * 60 * 60_000

interface ProofMoment {
  /** The Singapore day. */
  today: string
  /** Milliseconds of the wall clock, for the age of the filter. */
  now: number
}

/** Proves a scanned code with the stored lists, without a call. Never throws: a list that cannot be read counts as missing. */
export async function proveVoucher(scanned: string, { today, now }: ProofMoment): Promise<VoucherProof> {
  const read = readSignedVoucher(scanned)
  if (!read) return not(isSignedVoucher(scanned) ? 'forged' : 'unsigned')
  const unproven = await lackOfSignature(read)
  if (unproven) return not(unproven)
  if (read.expires_on < today) return not('expired')
  const filter = await storedFilter(now)
  if (!filter) return not('lists')
  if (mayBeSpent(filter, read.serial)) return not('spent')
  const { serial, denomination_cents, expires_on } = read
  return { is: 'genuine', serial, denomination_cents, expires_on }
}

const not = (why: ProofLack) => ({ is: 'not' as const, why })

/** Loads the code that checks signatures ahead, so that the first proof is as quick as the others. */
export async function prepareProof(): Promise<void> {
  await (verifier ??= findVerifier())
}

/** A younger list is good enough: a large filter is a download of more than a megabyte. */
const LIST_FRESH_MS = 60 * 60_000

const PROOF_LISTS = ['voucherKeys', 'spentVouchers'] as const
export type ProofList = (typeof PROOF_LISTS)[number]

/** Returns the lists to fetch before the next proof: those that are not stored, or older than an hour by this device's clock. */
export async function staleProofLists(now: number): Promise<ProofList[]> {
  const rows = await Promise.all(PROOF_LISTS.map(storedList))
  return PROOF_LISTS.filter((_, at) => {
    const age = now - (rows[at]?.fetchedAt ?? -Infinity)
    return age < 0 || age > LIST_FRESH_MS
  })
}

async function lackOfSignature(read: SignedVoucher): Promise<ProofLack | undefined> {
  const keys = v.safeParse(voucherKeys.answer, (await storedList('voucherKeys'))?.data)
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

/** Returns the engine's own verifier (Chrome 137, Firefox 129, Safari 17), or else loads an implementation. */
async function findVerifier(): Promise<Verify> {
  const hasOwn = await importKey(BASE_POINT).then(
    () => true,
    () => false,
  )
  if (hasOwn)
    return async (key, bytes, signature) => crypto.subtle.verify(ED25519, await importKey(key), signature, bytes)
  const { getPublicKeyAsync, verifyAsync } = await import('@noble/ed25519')
  // Makes it compute its tables now, not with the first voucher.
  await getPublicKeyAsync(new Uint8Array(32))
  // Strictly by RFC 8032, like WebCrypto.
  return (key, bytes, signature) => verifyAsync(signature, bytes, key, { zip215: false })
}

const ED25519 = { name: 'Ed25519' }
/** The curve's base point: it is a valid key. */
const BASE_POINT = Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 0x58 : 0x66))
const importKey = async (key: Bytes) => crypto.subtle.importKey('raw', key, ED25519, false, ['verify'])

/** Unpacked once for each list: it may have more than a megabyte, and a cashier waits. */
let unpacked: { fetchedAt: number; filter: Bytes | undefined } | undefined

/** Undefined if no filter is stored, or it is too old at `now`. */
async function storedFilter(now: number): Promise<Bytes | undefined> {
  const row = await storedList('spentVouchers')
  if (!row || now - row.fetchedAt > FILTER_MOST_MS) return undefined
  if (unpacked?.fetchedAt !== row.fetchedAt) {
    const parsed = v.safeParse(SpentVouchers, row.data)
    unpacked = { fetchedAt: row.fetchedAt, filter: parsed.success ? fromBase64url(parsed.output.filter) : undefined }
  }
  return unpacked.filter?.length ? unpacked.filter : undefined
}

const storedList = (key: ProofList) =>
  deviceStore()
    .lists.get(key)
    .catch(() => undefined)
