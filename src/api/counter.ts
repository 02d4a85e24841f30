import * as counter from '../contract/counter.ts'
import { nameTill } from '../contract/till.ts'
import { resource } from './resource.ts'

/** The counter's calls that need whoever is logged in; those of a voucher in hand are `tillWire`'s. */
export const counterApi = resource({ nameTill, myDay: counter.myDay })
