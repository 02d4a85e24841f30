import * as v from 'valibot'
import { SpentVouchers, voucherKeys } from '../../contract/redemptions/signedVouchers.ts'
import { fromBase64url } from '../../domain/base64url.ts'
import { isSignedVoucher, readSignedVoucher, type SignedVoucher } from '../../domain/signedVouchers.ts'
import { mayBeSpent } from '../../domain/spentFilter.ts'
import { deviceStore } from '../storage/userStore.ts'

// What a device can say of a voucher by itself: who made it, and whether it was spent when the device last heard of that. Loaded at
// the counter, once it takes vouchers without a check.

/**
 * Why a code does not prove itself. `unsigned`: a serial, or anything else that nobody has signed. `spent`: it may be, for one in 300 others
 * looks the same. `lists`: this device lacks what it proves vouchers with, or the filter is too old.
 */
export type ProofLack = 'unsigned' | 'forged' | 'expired' | 'unknown key' | 'spent' | 'lists'

type VoucherProof =
  | { is: 'genuine'; serial: string; denomination_cents: number; expires_on: string }
  | { is: 'not'; why: ProofLack }

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

/** Loads ahead what checks signatures, so that the first proof is as quick as the others. */
export async function prepareProof(): Promise<void> {
  await (verifier ??= findVerifier())
}

/** Until then what is stored is good enough: a large filter is a download of more than a megabyte. */
const LIST_FRESH_MS = 60 * 60_000

const PROOF_LISTS = ['voucherKeys', 'spentVouchers'] as const
export type ProofList = (typeof PROOF_LISTS)[number]

/** What has to be fetched before the next proof: lists that are not stored, or older than an hour by this device's clock. */
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

/** Undefined where there is none, or it is too old at `now`. */
async function storedFilter(now: number): Promise<Bytes | undefined> {
  const row = await storedList('spentVouchers')
  const parsed = v.safeParse(SpentVouchers, row?.data)
  const filter = parsed.success ? fromBase64url(parsed.output.filter) : undefined
  return filter?.length && now - row!.fetchedAt <= FILTER_MOST_MS ? filter : undefined
}

const storedList = (key: ProofList) =>
  deviceStore()
    .lists.get(key)
    .catch(() => undefined)
