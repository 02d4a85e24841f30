import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect } from 'vitest'
import { organisation as organisationTable } from '../../../server/db/schema/organisations.ts'
import type { Profile } from '../../../src/contract/profile.ts'
import { accountProfile, organisationProfile } from '../../support/api/forms.ts'
import { countByStatus, loggedInClient, type LoggedInClient } from '../../support/api/loggedInClient.ts'
import { makeMerchant, makeUser, type User } from '../../support/database/builders.ts'
import { ask, db, main, merchant, merchantIt as it, server } from '../../support/server/serverTest.ts'
import { makeImage } from '../../support/uploads/makeImage.ts'
import { makePresignedUpload } from '../../support/uploads/makeUpload.ts'

const read = (who: LoggedInClient, id: string) => who.get<Profile>(`/merchant/get/${id}`)
const edit = (given: object = {}, revision = 0) =>
  main.put<Profile>(`/merchant/main/${merchant.main.id}`, organisationProfile(revision, given))

/** Uploads a picture as the portal does in a browser. */
async function upload(bytes: Uint8Array<ArrayBuffer>, owner: User = merchant.main): Promise<string> {
  const whose = { organisationId: owner.organisationId, userId: owner.id }
  const { key, url, headers } = await makePresignedUpload(server.deps, whose, 'profile_logo', bytes)
  const { pathname, search } = new URL(url)
  const length = { 'content-length': String(bytes.byteLength) }
  const put = await ask(pathname + search, { method: 'PUT', headers: { ...headers, ...length }, body: bytes })
  expect(put.status).toBe(200)
  return key
}

describe('the profile of a main account', () => {
  it('is that of its organisation, and keeps what was saved', async () => {
    await db()
      .update(organisationTable)
      .set({ registrationNumber: '201912345R' })
      .where(eq(organisationTable.id, merchant.organisation.id))
    const form = organisationProfile(0)
    expect((await edit()).status).toBe(200)
    expect((await read(main, merchant.main.id)).data).toEqual({
      type: 'main',
      guid: merchant.main.id,
      name: form.company_name,
      login_email: merchant.main.loginName,
      company_name: form.company_name,
      merchant_id: merchant.organisation.merchantId,
      registration_number: '201912345R',
      address: form.address,
      contact_name: form.contact_name,
      contact_number: form.contact_number,
      contact_email: form.contact_email,
      verification_method: 'Serial',
      monthly_summary: {
        enabled: true,
        recipients: ['a@test.example', 'b@test.example'],
        to: [form.contact_email, 'a@test.example', 'b@test.example'],
        mails: [],
      },
      logo_key: null,
      logo_url: null,
      password_changed_at: merchant.main.passwordChangedAt?.toISOString(),
      revision: 1,
    })
  })

  it.each([
    ['a@test.example;b@test.example', 'are separated by commas only'],
    ['a@test.example b@test.example', 'are separated by commas only'],
    ['a@test.example\nb@test.example', 'are separated by commas only'],
    ['a@test.example|b@test.example', 'are separated by commas only'],
    ['a@test.example, nobody', 'invalid email'],
  ])('refuses the recipients %j', async (recipients, message) => {
    expect(await edit({ recipients })).toMatchObject({
      status: 422,
      body: { data: { fields: [{ message }] } },
    })
  })

  it('takes each recipient once, whatever blanks are around the commas', async () => {
    const { data } = await edit({ recipients: ' A@test.example,a@test.example ,  b@test.example, ' })
    expect(data.monthly_summary.recipients).toEqual(['a@test.example', 'b@test.example'])
    expect((await edit({ recipients: '' }, 1)).data.monthly_summary.recipients).toEqual([])
  })

  it('from an older state is refused with the profile as it is', async () => {
    const replies = await Promise.all([edit({ address: 'One' }), edit({ address: 'Two' })])
    expect(countByStatus(replies)).toEqual({ 200: 1, '409 STALE_REVISION': 1 })
    const saved = replies.find(({ status }) => status === 200)!.data
    expect(replies.find(({ status }) => status === 409)!.body).toMatchObject({ data: { current: saved } })
  })

  it('shows the logo that was uploaded for it, until it is taken away', async () => {
    const logo = await upload(await makeImage({ width: 100, height: 50 }))
    const { status, data } = await edit({ logo })
    expect(status).toBe(200)
    const { pathname, search } = new URL(data.logo_url!)
    const shown = await ask(pathname + search)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect((await edit({}, 1)).data.logo_url).not.toBeNull()
    expect((await edit({ logo: null }, 2)).data.logo_url).toBeNull()
    expect(await edit({ logo }, 3)).toMatchObject({ status: 422, error: 'UPLOAD_UNKNOWN' })
  })

  it('with a logo that is saved already, its answer lost, is told so as any other edit is', async () => {
    const logo = await upload(await makeImage({ width: 100, height: 50 }))
    expect((await edit({ logo })).status).toBe(200)
    expect(await edit({ logo })).toMatchObject({ status: 409, error: 'STALE_REVISION' })
    const again = await edit({ logo }, 1)
    expect([again.status, again.data.logo_url]).toEqual([200, expect.any(String)])
  })

  it('takes no logo that is too large, and none of another organisation', async () => {
    const large = await upload(await makeImage({ width: 101, height: 50 }))
    expect(await edit({ logo: large })).toMatchObject({
      status: 422,
      error: 'INVALID_IMAGE',
      body: { data: { fields: [{ path: 'logo' }] } },
    })
    const theirs = await upload(await makeImage({ width: 90, height: 40 }), (await makeMerchant(db())).main)
    expect(await edit({ logo: theirs })).toMatchObject({ status: 422, error: 'UPLOAD_UNKNOWN' })
    expect((await read(main, merchant.main.id)).data).toMatchObject({ logo_url: null, revision: 0 })
  })

  it('ACL-09: takes no status', async () => {
    expect(await edit({ status: 'Active' })).toMatchObject({
      status: 422,
      body: { data: { fields: [{ path: 'status', rule: 'unknown_field' }] } },
    })
    expect((await edit({ merchant_id: '999' })).status).toBe(422)
    expect((await edit({ registration_number: '201900000A' })).status).toBe(422)
  })
})

it('an ADHOC Merchant edits its organisation, a master and a branch their own contact', async () => {
  const adhoc = (await makeMerchant(db(), 'ADHOC Merchant')).main
  const master = await makeUser(db(), 'Additional Merchant', merchant)
  const branch = await makeUser(db(), 'Branch Merchant', merchant)
  const stall = await loggedInClient(ask, adhoc)
  expect((await stall.put<Profile>(`/merchant/adhoc/${adhoc.id}`, organisationProfile(0))).data.type).toBe('adhoc')
  for (const [type, user] of [['master', master] as const, ['branch', branch] as const]) {
    const who = await loggedInClient(ask, user)
    const before = (await read(who, user.id)).data
    expect(before).toMatchObject({ type, company_name: merchant.organisation.name, contact_email: user.loginName })
    const form = accountProfile(before.revision)
    const { status, data } = await who.put<Profile>(`/merchant/${type}/${user.id}`, form)
    expect(status).toBe(200)
    expect(data).toMatchObject({
      name: form.name,
      contact_name: form.contact_name,
      contact_number: form.contact_number,
    })
    expect(data.company_name).toBe(merchant.organisation.name)
    expect((await who.put(`/merchant/${type}/${user.id}`, organisationProfile(1))).status).toBe(422)
  }
})

it('an ADHOC Merchant, which has no onboarding, gives its registration number in the profile', async () => {
  const adhoc = (await makeMerchant(db(), 'ADHOC Merchant')).main
  const stall = await loggedInClient(ask, adhoc)
  const save = (revision: number, given: object) =>
    stall.put<Profile>(`/merchant/adhoc/${adhoc.id}`, organisationProfile(revision, given))
  expect((await save(0, { registration_number: '53312345c' })).data.registration_number).toBe('53312345C')
  expect((await save(1, {})).data.registration_number).toBe('53312345C')
  expect(await save(2, { registration_number: '5331-2345' })).toMatchObject({
    status: 422,
    body: { data: { fields: [{ path: 'registration_number', message: 'must be alphanumeric' }] } },
  })
  expect((await save(2, { registration_number: null })).data.registration_number).toBeNull()
  const { data } = await stall.post<{ rows: { details: object }[] }>('/activity/datatable', {
    start: 0,
    limit: 10,
    search_str: '',
    order_by: [],
    other_params: [],
  })
  expect(JSON.stringify(data)).toContain('registration number')
})

it('ACL-04: type and id have to be mine and belong together', async () => {
  const master = await makeUser(db(), 'Additional Merchant', merchant)
  const elsewhere = (await makeMerchant(db())).main
  const attempts = [
    main.put(`/merchant/adhoc/${merchant.main.id}`, organisationProfile(0)),
    main.put(`/merchant/master/${merchant.main.id}`, accountProfile(0)),
    main.put(`/merchant/master/${master.id}`, accountProfile(0)),
    main.put(`/merchant/main/${elsewhere.id}`, organisationProfile(0)),
    main.put(`/merchant/main/${randomUUID()}`, organisationProfile(0)),
    main.put(`/merchant/nobody/${merchant.main.id}`, organisationProfile(0)),
    main.get(`/merchant/get/${elsewhere.id}`),
    main.get(`/merchant/get/${master.id}`),
  ]
  expect(countByStatus(await Promise.all(attempts))).toEqual({ '404 NOT_FOUND': attempts.length })
})
