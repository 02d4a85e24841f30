import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { subscribeKey } from 'valtio/vanilla/utils'
import { singaporeDay } from '../domain/singaporeTime.ts'
import { auth } from './auth.ts'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const BILL_KEY = 'bill'

/** The bill of the customer at the counter: its amount in cents, if somebody typed it, and the vouchers checked for it. */
const Bill = v.object({
  open: v.boolean(),
  /** Guid of its cashier, who has one branch for good, and the Singapore day on which it was begun. */
  owner: v.string(),
  day: v.string(),
  amount_cents: v.nullable(v.number()),
  /** Ids of this device's stored vouchers. */
  taken: v.array(v.string()),
  refused: v.array(v.object({ serial: v.string(), word: v.string() })),
})

export type Bill = v.InferOutput<typeof Bill>

const NONE: Bill = { open: false, owner: '', day: '', amount_cents: null, taken: [], refused: [] }

/**
 * The open bill of whoever is logged in. Stored, since a battery may run out in the middle of it; it holds nothing about the customer.
 * Nobody else ever sees it, and no other day: a customer would pay with a stranger's vouchers.
 */
export const bill = proxy<Bill>({ ...NONE })

const today = () => singaporeDay(new Date())

function readBill(): Bill | undefined {
  const stored = readStored(BILL_KEY, Bill)
  const isOurs = stored?.owner === auth.user?.guid && stored?.day === today()
  Object.assign(bill, stored && isOurs ? stored : NONE)
  return stored
}

/** Once another cashier has served, or on another day, the customer of a bill does not come back with its own cashier. */
function serveCashier() {
  const stored = readBill()
  if (stored?.open && auth.user && !bill.open) writeStored(BILL_KEY, NONE)
}

serveCashier()
onStoredElsewhere(BILL_KEY, readBill)

let cashier = auth.user?.guid
const whenAnother = (user: typeof auth.user) => {
  if (user?.guid === cashier) return
  cashier = user?.guid
  serveCashier()
}
// At once, or the next cashier's screen would be drawn with it.
subscribeKey(auth, 'user', whenAnother, true)

function change(next: Partial<Bill>) {
  Object.assign(bill, next)
  writeStored(BILL_KEY, bill)
}

/** Begins a bill, or changes the amount of the open one. */
export const openBill = (amount_cents: number | null): void =>
  change(bill.open ? { amount_cents } : { open: true, owner: auth.user?.guid ?? '', day: today(), amount_cents })

/** The bill as it was. */
export function closeBill(): Bill {
  const closed = { ...bill, taken: [...bill.taken], refused: [...bill.refused] }
  change(NONE)
  return closed
}

export function addRedeemed(id: string): void {
  if (bill.open && !bill.taken.includes(id)) change({ taken: [...bill.taken, id] })
}

export function addRefused(serial: string, word: string): void {
  const others = bill.refused.filter((one) => one.serial !== serial)
  if (bill.open) change({ refused: [...others, { serial, word }] })
}

const DEVICE_KEY = 'till-device'

/**
 * This device at the counter: a random id for life, the name it has at each branch that it served, where of these it is enrolled, and
 * the day on which a cashier was asked for a code and put it off.
 */
const Device = v.object({
  guid: v.string(),
  names: v.record(v.string(), v.string()),
  enrolled: v.optional(v.array(v.string()), []),
  codeLater: v.optional(v.string()),
  /** It has begun to remove what it stored, as its manager asked: the next start goes on where the last one was ended. */
  removing: v.optional(v.boolean(), false),
  /** Its own keypad is shown on a phone as well, instead of the keyboard of the phone. */
  keypad: v.optional(v.boolean(), false),
  /** It has removed it, and was no till again since. */
  removed: v.optional(v.boolean(), false),
})

type Device = v.InferOutput<typeof Device>

export const tillDevice = proxy<Device>(
  readStored(DEVICE_KEY, Device) ?? {
    guid: crypto.randomUUID(),
    names: {},
    enrolled: [],
    removing: false,
    keypad: false,
    removed: false,
  },
)

onStoredElsewhere(DEVICE_KEY, () => Object.assign(tillDevice, readStored(DEVICE_KEY, Device) ?? tillDevice))

function changeDevice(next: Partial<Device>) {
  Object.assign(tillDevice, next)
  writeStored(DEVICE_KEY, tillDevice)
}

/** The server knows this device by this name at `branch` now. */
export const tillNamed = (branch: string, name: string): void =>
  changeDevice({ names: { ...tillDevice.names, [branch]: name }, removing: false, removed: false })

/** It was enrolled there (decision 0079). */
export const tillEnrolled = (branch: string): void =>
  changeDevice({ enrolled: [...tillDevice.enrolled.filter((one) => one !== branch), branch] })

/** The server does not take this device for a till of `branch` any more. */
export function tillForgotten(branch: string): void {
  const { [branch]: _, ...names } = tillDevice.names
  changeDevice({ names, enrolled: tillDevice.enrolled.filter((one) => one !== branch) })
}

/** A cashier has no code: nobody is asked again on `day`. */
export const codePutOff = (day: string): void => changeDevice({ codeLater: day })

export const showKeypad = (keypad: boolean): void => changeDevice({ keypad })

export const tillRemovalBegun = (): void => changeDevice({ removing: true })

export const tillRemoved = (): void => changeDevice({ names: {}, enrolled: [], removing: false, removed: true })
