import * as counter from '../contract/redemptions/counter.ts'
import { nameTill } from '../contract/redemptions/counter.ts'
import { resource } from './resource.ts'

/** Calls about the counter that need whoever is logged in, a merchant's release among them; those of a voucher in hand are `tillWire`'s. */
export const counterApi = resource({ nameTill, myDay: counter.myDay, release: counter.releaseHold })
