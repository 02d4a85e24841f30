import { post } from '../../support/api/portalClient.ts'
import { expect, testWithWorker } from '../../support/browser/fixtures.ts'
import { makeApplication, signupProof } from '../../support/merchants/application.ts'
import { newestReviewLink, submitOnboarding } from '../../support/merchants/reviewPage.ts'

testWithWorker(
  'UPL-08: a file opened by its address is shown in a sandbox or saved, worker or not, and never the app',
  async ({ page, origin, pageWatch }) => {
    // The sandbox blocks styles of the browser's image viewer and this test's init script, which is logged.
    pageWatch.forgive(
      /^console error: (Applying inline style violates|Blocked script execution in) .*\/files\/stored\//,
    )
    /** Returns the address of the newest submitted file, as the provider gets it. */
    const stored = async () => {
      const token = (await newestReviewLink(origin)).split('=')[1]
      const { body } = await post(origin.ask, '/api/review/get', { token })
      return /"([^"]*\/files\/stored\/[^"]+)"/.exec(JSON.stringify(body))![1]!
    }
    await page.goto('/login')
    await page.evaluate(() => navigator.serviceWorker.ready)
    const application = await makeApplication(origin.deps, { role: 'adhoc' })
    const sent = { application, captcha_proof: await signupProof(origin.deps) }
    expect(await post(origin.ask, '/api/signup', sent)).toMatchObject({ status: 200 })
    await origin.deps.background.settled()
    const shown = await page.goto(await stored())
    expect(shown?.headers()).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    })
    // The file has no origin: it cannot reach the portal's storage.
    expect(await page.evaluate(() => window.origin)).toBe('null')
    await submitOnboarding(origin)
    const download = page.waitForEvent('download')
    await page.goto(await stored()).catch(() => undefined)
    expect((await download).suggestedFilename()).toBe('document.pdf')
  },
)
