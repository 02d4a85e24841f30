import { randomUUID } from 'node:crypto'
import { TOTP } from 'otpauth'
import { lateUpload } from '../../../server/db/schema/redemptions.ts'
import { changeEmailByProvider } from '../../../server/services/accounts/loginEmail.ts'
import { resetMfa } from '../../../server/services/accounts/mfa/enableMfa.ts'
import { releaseAnyHold } from '../../../server/services/redemptions/holds.ts'
import type { Enrolment } from '../../../src/contract/devices/enrolment.ts'
import { SUGGESTED_RULES } from '../../../src/contract/redemptions/allowance.ts'
import type { ActivityAction } from '../../../src/domain/activityLabels.ts'
import { enrolMfa } from '../../support/accounts/enrolMfa.ts'
import {
  adminChange,
  changeOwn,
  confirmReset,
  encrypted,
  mailedResetToken,
} from '../../support/accounts/passwordEndpoints.ts'
import { branchEdit, branchForm, masterForm, organisationProfile, PIN } from '../../support/api/forms.ts'
import type { LoggedInClient } from '../../support/api/loggedInClient.ts'
import { mailedTokens } from '../../support/api/mailbox.ts'
import { encryptPassword, post, send, logIn, tryToLogIn, type Ask } from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeHold,
  makeTill,
  makeInvited,
  makePosUser,
  makeRedemption,
  makeResource,
  makeUser,
  NEW_PASSWORD,
  PASSWORD,
  type Merchant,
  type User,
  makeVoucher,
} from '../../support/database/builders.ts'
import { allow } from '../../support/redemptions/acceptingTill.ts'
import { redeemHeld, syncRows, testTill } from '../../support/redemptions/testTill.ts'
import { reportClient, type ReportName } from '../../support/reports/reportClient.ts'
import { db, server } from '../../support/server/serverTest.ts'

export interface ActivityWorld {
  ask: Ask
  merchant: Merchant
  main: LoggedInClient
  /** Values that must not be in any log. The cases add the ones that they make up. */
  secrets: string[]
}

/** Prepares the case and returns the act itself, so that only the act leaves a trace. */
type Prepare = (world: ActivityWorld) => Promise<() => unknown>

const PAGE = { start: 0, limit: 10 }
const OTHER_PIN = '731952'
const WRONG = 'Wrong-Horse-2026!'

const invited = ({ merchant }: ActivityWorld) =>
  makeInvited(db(), 'Additional Merchant', { organisation: merchant.organisation })
const master = ({ merchant }: ActivityWorld, given: Partial<User> = {}) =>
  makeUser(db(), 'Additional Merchant', { organisation: merchant.organisation }, { name: 'East', ...given })
const till = ({ merchant }: ActivityWorld, given: Partial<User> = {}) =>
  makePosUser(db(), { organisation: merchant.organisation, branch: merchant.branch }, given)
const login = ({ merchant }: ActivityWorld) =>
  makeUser(db(), 'Branch Merchant', { organisation: merchant.organisation, branch: merchant.branch })
const branchOf = ({ merchant }: ActivityWorld, given = {}) => makeBranch(db(), merchant.organisation, given)
const requestedFile = ({ main }: ActivityWorld, path: string, body: object = PAGE) => main.file(path, body)
const reported =
  ({ ask, main }: ActivityWorld, name: ReportName, params: object) =>
  async () =>
    (await reportClient(ask, main.token).request(name, params)).text()

async function withApp(world: ActivityWorld) {
  const phone = await enrolMfa(db(), world.merchant.main)
  world.secrets.push(...phone.recoveryCodes)
  const now = server.clock.now().getTime()
  return { ...phone, code: (steps = 0) => phone.totp.generate({ timestamp: now + steps * 30_000 }) }
}

/** Every act that leaves a trace, by each endpoint or command that does it. */
const CASES: Partial<Record<ActivityAction, Record<string, Prepare>>> = {
  'session.logged_in': {
    'a login': async (w) => {
      const user = await master(w)
      return () => logIn(w.ask, user)
    },
  },
  'session.refused': {
    'a wrong password': async (w) => async () => {
      await tryToLogIn(w.ask, w.merchant.main, WRONG)
      await server.deps.background.settled()
    },
  },
  'account.locked': {
    'the fifth wrong password': async (w) => {
      const wrong = async () => {
        await tryToLogIn(w.ask, w.merchant.main, WRONG)
        await server.deps.background.settled()
      }
      for (let tries = 0; tries < 4; tries += 1) await wrong()
      return wrong
    },
  },
  'session.logged_out': { 'a logout': async (w) => () => w.main.get('/account/logout') },
  'password.changed': {
    'of one’s own': async (w) => () =>
      changeOwn(w.ask, '/api/account/change_password', w.main.token, { current: PASSWORD, password: NEW_PASSWORD }),
    'with a mailed link': async (w) => {
      const token = await mailedResetToken(server, w.merchant.main)
      w.secrets.push(token)
      return () => confirmReset(w.ask, token, NEW_PASSWORD)
    },
  },
  'password.reset_requested': {
    'a forgotten password': async (w) => async () => {
      const { loginName } = w.merchant.main
      await post(w.ask, '/api/auth/forgot_password', { email: loginName })
      await server.deps.background.settled()
      w.secrets.push(...(await mailedTokens(db(), loginName)))
    },
  },
  'password.set': {
    'of another': async (w) => {
      const user = await master(w)
      return () => adminChange(w.ask, w.main.token, user.id, { own: PASSWORD, password: NEW_PASSWORD })
    },
    'of a POS user': async (w) => {
      const user = await till(w)
      const body = await encrypted(w.ask, { encrypted_new_password: NEW_PASSWORD })
      return () => w.main.put(`/pos/change_password/${user.id}`, body)
    },
  },
  'pos_user.password_reset': {
    'to a temporary one': async (w) => {
      const user = await till(w)
      return async () => {
        const { data } = await w.main.put<{ temporary_password: string }>(`/pos/reset_password/${user.id}`)
        w.secrets.push(data.temporary_password)
      }
    },
  },
  'password.reset_sent': {
    'to a master': async (w) => {
      const user = await master(w)
      return async () => {
        await w.main.put(`/merchant/reset_password/${user.id}`)
        w.secrets.push(...(await mailedTokens(db(), user.loginName)))
      }
    },
    'to the login of a branch': async (w) => {
      await login(w)
      return () => w.main.put(`/branch/reset_password/${w.merchant.branch.id}`)
    },
  },
  'invitation.resent': {
    'an activation email': async (w) => {
      const user = await invited(w)
      return () => w.main.put(`/merchant/invitation/resend/${user.id}`)
    },
  },
  'account.activated': {
    'with its link': async (w) => {
      const user = await invited(w)
      await w.main.put(`/merchant/invitation/resend/${user.id}`)
      const token = (await mailedTokens(db(), user.loginName, 'invitation')).at(-1)!
      w.secrets.push(token)
      const body = { token, ...(await encrypted(w.ask, { encrypted_new_password: NEW_PASSWORD })) }
      return () => post(w.ask, '/api/auth/set_new_password', body)
    },
  },
  'mfa.enabled': {
    'the first app': async (w) => {
      const asked = await encrypted(w.ask, { encrypted_current_password: PASSWORD })
      const { data } = await w.main.post<{ setup: string; secret: string }>('/auth/initiate_mfa_setup', asked)
      w.secrets.push(data.setup, data.secret)
      const code = new TOTP({ secret: data.secret }).generate({ timestamp: server.clock.now().getTime() })
      return () => w.main.post('/auth/verify_and_enable_mfa', { setup: data.setup, code })
    },
  },
  'mfa.changed': {
    'another app': async (w) => {
      const { code } = await withApp(w)
      const password = await encrypted(w.ask, { encrypted_current_password: PASSWORD })
      const asked = { ...password, code: code() }
      const { data } = await w.main.post<{ setup: string; secret: string }>('/auth/initiate_mfa_setup', asked)
      w.secrets.push(data.setup, data.secret)
      const proof = new TOTP({ secret: data.secret }).generate({ timestamp: server.clock.now().getTime() })
      return () => w.main.post('/auth/verify_and_enable_mfa', { setup: data.setup, code: proof })
    },
  },
  'recovery_codes.renewed': {
    'new codes': async (w) => {
      const { code } = await withApp(w)
      const asked = await encrypted(w.ask, { encrypted_current_password: PASSWORD })
      return async () => {
        const { data } = await w.main.post<{ recovery_codes: string[] }>('/account/recovery_codes', {
          ...asked,
          code: code(),
        })
        w.secrets.push(...data.recovery_codes)
      }
    },
  },
  'mfa.removed': {
    'by the provider': async (w) => {
      await withApp(w)
      return () => resetMfa(server.deps, w.merchant.main.loginName)
    },
  },
  'master.created': { 'a master': async (w) => () => w.main.post('/merchant/additional', masterForm()) },
  'master.edited': {
    'its name': async (w) => {
      const { id, loginName: email } = await master(w)
      return () => w.main.put(`/merchant/additional/${id}`, { name: 'West', email, revision: 0 })
    },
  },
  'account.email_change_requested': {
    'of a master': async (w) => {
      const { id } = await master(w)
      const email = `${randomUUID()}@test.example`
      const own = await encryptPassword(w.ask, PASSWORD)
      return () => w.main.post('/account/admin/change_email', { user_guid: id, email, encrypted_own_password: own })
    },
    'by the provider': async (w) => {
      const { loginName } = await master(w)
      return () => changeEmailByProvider(server.deps, loginName, `${randomUUID()}@test.example`)
    },
  },
  'account.email_changed': {
    'by the link': async (w) => {
      const { loginName } = await master(w)
      const email = `${randomUUID()}@test.example`
      await changeEmailByProvider(server.deps, loginName, email)
      const [token] = await mailedTokens(db(), email, 'email_change')
      w.secrets.push(token!)
      return () => post(w.ask, '/api/auth/confirm_email', { token })
    },
    'of a master': async (w) => {
      const { id } = await makeInvited(db(), 'Additional Merchant', {
        organisation: w.merchant.organisation,
      })
      const { data } = await w.main.get<{ name: string }>(`/merchant/additional/get/${id}`)
      return () => w.main.put(`/merchant/additional/${id}`, masterForm({ name: data.name, revision: 0 }))
    },
    'of a branch': async (w) => {
      const { data } = await w.main.post<{ guid: string; code: string }>('/branch', branchForm())
      return () => w.main.put(`/branch/${data.guid}`, branchEdit(0, { code: data.code }))
    },
  },
  'master.deactivated': {
    'a master': async (w) => {
      const { id } = await master(w)
      return () => w.main.put(`/merchant/additional/deactivation/${id}`)
    },
  },
  'master.reactivated': {
    'a master': async (w) => {
      const { id } = await master(w, { status: 'Inactive' })
      return () => w.main.put(`/merchant/additional/reactivation/${id}`)
    },
  },
  'master.deleted': {
    'a master': async (w) => {
      const { id } = await master(w)
      return () => w.main.remove(`/merchant/additional/${id}`)
    },
  },
  'branch.created': { 'a branch': async (w) => () => w.main.post('/branch', branchForm()) },
  'branch.edited': {
    'its facts': async (w) => {
      const { data } = await w.main.post<{ guid: string }>('/branch', branchForm())
      const before = await w.main.get<{ email: string; revision: number }>(`/branch/get/${data.guid}`)
      const { email, revision } = before.data
      return () => w.main.put(`/branch/${data.guid}`, branchEdit(revision, { email, name: 'Kallang' }))
    },
  },
  'branch.pin_changed': {
    'its PIN alone': async (w) => {
      const { data } = await w.main.post<{ guid: string; code: string; email: string }>('/branch', branchForm())
      const same = { code: data.code, email: data.email, pin: OTHER_PIN }
      return () => w.main.put(`/branch/${data.guid}`, branchEdit(0, same))
    },
  },
  'branch.deactivated': { 'a branch': async (w) => () => w.main.put(`/branch/deactivation/${w.merchant.branch.id}`) },
  'branch.reactivated': {
    'a branch': async (w) => {
      const { id } = await branchOf(w, { status: 'Inactive' })
      return () => w.main.put(`/branch/reactivation/${id}`)
    },
  },
  'branch.deleted': {
    'a branch': async (w) => {
      const { id } = await branchOf(w)
      return () => w.main.remove(`/branch/${id}`)
    },
  },
  'pos_user.created': {
    'a POS user': async (w) => {
      const encrypted_password = await encryptPassword(w.ask, NEW_PASSWORD)
      const body = { branch_guid: w.merchant.branch.id, username: randomUUID(), encrypted_password }
      return () => w.main.post('/pos', body)
    },
  },
  'pos_user.edited': {
    'its username': async (w) => {
      const { id } = await till(w)
      return () => w.main.put(`/pos/edit/${id}`, { username: randomUUID(), revision: 0 })
    },
  },
  'pos_user.deactivated': {
    'a POS user': async (w) => {
      const { id } = await till(w)
      return () => w.main.put(`/pos/${w.merchant.branch.id}/deactivation/${id}`)
    },
  },
  'pos_user.reactivated': {
    'a POS user': async (w) => {
      const { id } = await till(w, { status: 'Inactive' })
      return () => w.main.put(`/pos/${w.merchant.branch.id}/reactivation/${id}`)
    },
  },
  'pos_user.deleted': {
    'a POS user': async (w) => {
      const { id } = await till(w)
      return () => w.main.remove(`/pos/${id}`)
    },
  },
  'till.named': {
    'a device': async (w) => {
      const cashier = await testTill(w.ask, await till(w))
      return () => send(w.ask, 'PUT', `/api/till/${randomUUID()}`, { token: cashier.token, body: { name: 'Till 9' } })
    },
  },
  'till.renamed': {
    'a device': async (w) => {
      const { guid } = await makeTill(db(), await till(w))
      return () => w.main.put(`/device/${guid}`, { name: 'Takeaway' })
    },
  },
  'till.invited': {
    'a code': async (w) => () =>
      w.main.post('/device/enrolment', { branch_guid: w.merchant.branch.id, name: 'Till 3' }),
  },
  'till.enrolled': {
    'a device': async (w) => {
      const cashier = await testTill(w.ask, await till(w))
      const made = await w.main.post<Enrolment>('/device/enrolment', {
        branch_guid: w.merchant.branch.id,
        name: 'Till 3',
      })
      w.secrets.push(made.data.code)
      const body = { code: made.data.code }
      return () => send(w.ask, 'PUT', `/api/till/${randomUUID()}/enrolment`, { token: cashier.token, body })
    },
  },
  'till.moved': {
    'a device': async (w) => {
      const { guid } = await makeTill(db(), await till(w), { enrolledAt: new Date() })
      const { id } = await makeBranch(db(), w.merchant.organisation)
      return () => w.main.post(`/device/${guid}/move`, { branch_guid: id })
    },
  },
  'till.revoked': {
    'a device': async (w) => {
      const { guid } = await makeTill(db(), await till(w))
      return () => w.main.post(`/device/${guid}/revoke`, { remove: true })
    },
  },
  'till.reviewed': {
    'what a device uploaded after it was revoked': async (w) => {
      const { guid } = await makeTill(db(), await till(w))
      const { entry } = await makeRedemption(db(), await till(w), server.clock.now())
      await db().insert(lateUpload).values({ redemptionId: entry.id, tillGuid: guid })
      const until = server.clock.now().toISOString()
      return () => w.main.post(`/device/${guid}/review`, { until })
    },
  },
  'allowance.changed': {
    'of a branch': async (w) => {
      const { code } = await withApp(w)
      return async () =>
        w.main.put(`/branch/allowance/${w.merchant.branch.id}`, {
          rules: SUGGESTED_RULES,
          encrypted_own_password: await encryptPassword(w.ask, PASSWORD),
          code: code(),
        })
    },
  },
  'allowance.stopped': {
    'by hand': async (w) => {
      await allow(db(), w.merchant.branch)
      return () => w.main.post(`/branch/allowance/${w.merchant.branch.id}/stop`, undefined)
    },
  },
  'profile.edited': {
    'of the organisation': async (w) => () =>
      w.main.put(`/merchant/main/${w.merchant.main.id}`, organisationProfile(0)),
  },
  'hold.released': {
    'by the merchant': async (w) => {
      const { voucher, since } = await makeHold(db(), await till(w), server.clock.now())
      w.secrets.push(voucher.serial)
      return () => w.main.post('/voucher/release', { guid: voucher.id, since: since.toISOString() })
    },
    'by the provider': async (w) => {
      const { voucher } = await makeHold(db(), await till(w), server.clock.now())
      return () => releaseAnyHold(server.deps, voucher.serial)
    },
  },
  'hold.settled': {
    'by hand': async (w) => {
      const at = await testTill(w.ask, await till(w))
      const { serial } = await makeVoucher(db())
      const key = await at.hold(serial)
      w.secrets.push(serial, key.secret)
      return () => w.main.post('/hold/settle', { id: key.id, reason: 'The customer paid with it' })
    },
  },
  'redemption.voided': {
    'at the till': async (w) => {
      const at = await testTill(w.ask, await till(w))
      const { serial } = await makeVoucher(db())
      const key = await at.hold(serial)
      await redeemHeld(w.ask, key)
      w.secrets.push(serial, key.secret)
      return () => syncRows(w.ask, [{ became: 'voided', ...key }])
    },
  },
  'report.downloaded': {
    'a transaction report': async (w) => reported(w, 'transaction', { from: '2026-11-01', to: '2026-11-21' }),
    'a daily report as XLSX': async (w) => reported(w, 'daily', { day: '2026-11-20', format: 'xlsx' }),
  },
  'table.exported': {
    'the branches': async (w) => () => requestedFile(w, '/branch/export'),
    'the vouchers': async (w) => () => requestedFile(w, '/voucher/export'),
    'one voucher by its number': async (w) => () =>
      requestedFile(w, '/voucher/export', { ...PAGE, search_str: '2000000000008' }),
    'the log itself': async (w) => () => requestedFile(w, '/activity/export'),
  },
  'resource.downloaded': {
    'a file of the programme': async (w) => {
      const { id } = await makeResource(db())
      return () => requestedFile(w, '/resources/download_log', { guid: id })
    },
  },
}

export const ACTIVITY_CASES = (Object.keys(CASES) as ActivityAction[]).flatMap((action) =>
  Object.entries(CASES[action] ?? {}).map(([how, prepare]) => [action, how, prepare] as const),
)

/** Values that no log may contain, in addition to `secrets`. */
export const NEVER_LOGGED = [PASSWORD, NEW_PASSWORD, WRONG, PIN, OTHER_PIN]
