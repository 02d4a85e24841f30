import { randomUUID } from 'node:crypto'
import { hashToken, newToken } from '../../../server/services/opaqueToken.ts'
import type { EndpointName } from '../../../src/contract/endpoints.ts'
import {
  makeBranch,
  makeEnrolment,
  makeHold,
  makeInvited,
  makePosUser,
  makeRedemption,
  makeResource,
  makeStatement,
  makeTill,
  makeVoucher,
  type Branch,
  type User,
} from '../database/builders.ts'
import { db, server } from '../server/serverTest.ts'
import type { Actors } from './actors.ts'
import { accountProfile, branchEdit, branchForm, DAYS, organisationProfile } from './forms.ts'

export interface EndpointSample {
  params?: () => Promise<Record<string, string>>
  body?: () => unknown
}

const PAGE: EndpointSample = { body: () => ({ start: 0, limit: 10 }) }

/** Makes sample calls that succeed for every permitted caller. If they name anything, it belongs to the actors' organisation and is new. */
export function endpointSamples(actors: () => Actors) {
  const branch = async () => ({ id: actors().branch.id })
  const till = async (given: Parameters<typeof makeTill>[2] = {}) => makeTill(db(), actors().till, given)
  const device = async () => ({ id: (await till()).guid })
  const fresh = async () => ({ id: randomUUID() })
  const user = (name: keyof Actors['users']) => async () => ({ id: actors().users[name].id })
  /** Makes a branch that the master of the actors manages. */
  const freshBranch = async (given: Partial<Branch> = {}) => {
    const { organisation, users } = actors()
    return makeBranch(db(), organisation, { masterUserId: users.Additional.id, ...given })
  }
  const branchOf = (given?: Partial<Branch>) => async () => ({ id: (await freshBranch(given)).id })
  const adhoc = branchOf({ kind: 'adhoc', fromDay: DAYS.from_day, toDay: DAYS.to_day })
  const posUser =
    (given: Partial<User> = {}) =>
    async () => {
      const { id, branch: at } = await makePosUser(db(), actors(), given)
      return { id, branch: at.id }
    }
  const posUserEdit = { params: posUser(), body: () => ({ username: randomUUID(), revision: 0 }) }
  const ofMaster = () => ({ master_guid: actors().users.Additional.id })
  return {
    'device.troubles': {
      body: () => ({ troubles: [{ about: 'queue', code: 'NETWORK', at: '2026-11-21T02:00:00Z', times: 1 }] }),
    },
    'merchant.resendInvitation': {
      params: async () => {
        const { organisation } = actors()
        return { id: (await makeInvited(db(), 'Additional Merchant', { organisation })).id }
      },
    },
    'voucher.datatable': PAGE,
    'voucher.export': PAGE,
    'voucher.get': {
      params: async () => ({ id: (await makeRedemption(db(), actors().till, '2026-11-20')).voucher.id }),
    },
    'voucher.verify': {
      body: async () => ({
        serial: (await makeVoucher(db())).serial,
        hold: { id: randomUUID(), secret_hash: hashToken(newToken()), till: (await till()).id },
      }),
    },
    'voucher.release': {
      body: async () => {
        const { voucher, since } = await makeHold(db(), actors().till, server.clock.now())
        return { guid: voucher.id, since: since.toISOString() }
      },
    },
    'hold.settle': {
      body: async () => {
        const { id: tillId } = await till()
        const { id } = await makeHold(db(), actors().till, server.clock.now(), { hold: { tillId } })
        return { id, reason: 'The customer paid with it' }
      },
    },
    'till.sync': {
      body: async () => {
        const { id, secret } = await makeHold(db(), actors().till, server.clock.now())
        return { rows: [{ became: 'redeemed', id, secret, tapped_at: server.clock.now().toISOString() }] }
      },
    },
    'till.allowance': { body: () => ({ total_cents: 0 }) },
    'allowance.read': { params: branch },
    'allowance.stop': { params: branch },
    'losses.datatable': PAGE,
    'losses.export': PAGE,
    'till.name': { params: fresh, body: () => ({ name: 'Till 1' }) },
    'practice.note': {},
    'till.get': { params: async () => ({ id: (await till()).id }) },
    'till.enrol': {
      params: fresh,
      body: async () => {
        const until = new Date(server.clock.now().getTime() + 60_000)
        return { code: (await makeEnrolment(db(), actors().till, until)).code.toLowerCase() }
      },
    },
    'devices.datatable': PAGE,
    'devices.export': PAGE,
    'devices.get': { params: device },
    'devices.rename': { params: device, body: () => ({ name: 'Takeaway' }) },
    'devices.move': {
      params: async () => ({ id: (await till({ enrolledAt: new Date() })).guid }),
      body: async () => ({ branch_guid: (await freshBranch()).id }),
    },
    'devices.revoke': { params: device, body: () => ({ remove: false }) },
    'devices.review': { params: device, body: () => ({ until: server.clock.now().toISOString() }) },
    'devices.add': { body: () => ({ branch_guid: actors().branch.id, name: 'Till 1' }) },
    'devices.enrolment': {
      params: async () => ({ id: (await makeEnrolment(db(), actors().till, server.clock.now())).id }),
    },
    'filter.posUsers': { body: () => ({ branch_guid: actors().branch.id }) },
    'payments.statement': {
      body: async () => {
        await makeStatement(db(), actors(), '2026-10')
        return { month: '2026-10', format: 'csv' }
      },
    },
    'masters.datatable': PAGE,
    'masters.export': PAGE,
    'branches.datatable': PAGE,
    'branches.export': PAGE,
    'branches.get': { params: branchOf() },
    'branches.create': { body: () => branchForm() },
    'branches.update': { params: branchOf(), body: () => branchEdit(0) },
    'branches.remove': { params: branchOf() },
    'branches.deactivate': { params: branchOf() },
    'branches.reactivate': { params: branchOf({ status: 'Inactive' }) },
    'masterBranches.datatable': PAGE,
    'masterBranches.export': PAGE,
    'masterBranches.get': { params: branchOf() },
    'masterBranches.create': { body: () => branchForm(ofMaster()) },
    'masterBranches.update': { params: branchOf(), body: () => branchEdit(0, ofMaster()) },
    'masterBranches.remove': { params: branchOf() },
    'adhocBranches.datatable': PAGE,
    'adhocBranches.export': PAGE,
    'adhocBranches.get': { params: adhoc },
    'adhocBranches.create': { body: () => branchForm(DAYS) },
    'adhocBranches.update': { params: adhoc, body: () => branchEdit(0, DAYS) },
    'adhocBranches.remove': { params: adhoc },
    'posUsers.datatable': PAGE,
    'posUsers.export': PAGE,
    'posUsers.get': { params: posUser() },
    'posUsers.update': posUserEdit,
    'posUsers.edit': posUserEdit,
    'posUsers.remove': { params: posUser() },
    'posUsers.deactivate': { params: posUser() },
    'posUsers.reactivate': { params: posUser({ status: 'Inactive' }) },
    'posUsers.resetPassword': { params: posUser() },
    'posUsers.changePassword': { params: posUser() },
    'profile.editMain': { params: user('HRP'), body: () => organisationProfile(0) },
    'profile.editAdhoc': { params: user('ADHOC'), body: () => organisationProfile(0) },
    'profile.editMaster': { params: user('Additional'), body: () => accountProfile(0) },
    'profile.editBranch': { params: user('Branch'), body: () => accountProfile(0) },
    'resources.download': { body: async () => ({ guid: (await makeResource(db())).id }) },
    'activity.datatable': PAGE,
    'activity.export': PAGE,
  } satisfies Partial<Record<EndpointName, EndpointSample>>
}
