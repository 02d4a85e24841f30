import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js'
import { Severity } from 'csp_evaluator/dist/finding.js'
import { CspParser } from 'csp_evaluator/dist/parser.js'
import { logInByHand } from '../../support/accounts/logIn.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import { makeMerchant } from '../../support/database/builders.ts'

/** One page of each layout, because their inline parts differ. */
const PAGES = ['/', '/login', '/dashboard']

for (const path of PAGES) {
  test(`WEB-01: the policy of ${path} has no hole that an evaluator of policies knows to be grave @short`, async ({
    request,
  }) => {
    const policy = (await request.get(path)).headers()['content-security-policy']!
    // The other API bases of these tests are ports of this machine; a real server names only https addresses.
    const deployed = policy.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://api.example')
    const findings = new CspEvaluator(new CspParser(deployed).csp).evaluate()
    const grave = findings.filter(({ severity }) => severity <= Severity.MEDIUM)
    expect(grave.map(({ directive, description }) => `${directive}: ${description}`)).toEqual([])
    expect(policy.match(/script-src[^;]*/)![0]).not.toMatch(/'unsafe-/)
  })
}

testWithWorker(
  'WEB-04: text becomes neither markup nor a script by the sinks of the page, and no other policy is made @short',
  async ({ page, origin, pageWatch }) => {
    pageWatch.forgive(/TrustedHTML|TrustedScript|trusted-types/)
    const { main } = await makeMerchant(origin.database.db)
    await logInByHand(page, main)
    // By then the page has made its own policy, and a second one of that name is not allowed.
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    const refused = await page.evaluate(() => {
      const text = '<img src=x onerror="document.title = \'taken\'">'
      const createPolicy = (name: string) => window.trustedTypes!.createPolicy(name, { createHTML: (html) => html })
      const sinks: Record<string, () => unknown> = {
        innerHTML: () => (document.body.innerHTML = text),
        outerHTML: () => (document.querySelector('main')!.outerHTML = text),
        insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', text),
        write: () => document.write(text),
        srcdoc: () => (document.createElement('iframe').srcdoc = text),
        'script src': () => (document.createElement('script').src = 'https://evil.example/a.js'),
        'another policy': () => createPolicy('of-a-stranger'),
        'the same policy again': () => createPolicy('service-worker'),
      }
      return Object.entries(sinks).map(([name, sink]) => {
        try {
          sink()
          return `${name} was taken`
        } catch (error) {
          return `${name}: ${(error as Error).name}`
        }
      })
    })
    expect(refused.filter((what) => !what.endsWith(': TypeError'))).toEqual([])
    await expect(page).not.toHaveTitle('taken')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  },
)

test('WEB-05: another site can frame neither the portal nor an answer of its server', async ({
  page,
  origin,
  pageWatch,
}) => {
  pageWatch.forgive(/frame-ancestors|refused to connect|ERR_BLOCKED_BY_RESPONSE/)
  const framed = ['/login', '/redeem', '/api/health', '/sw.js']
  const stranger = createServer((_, answer) => {
    answer.setHeader('content-type', 'text/html')
    answer.end(framed.map((path) => `<iframe src="${origin.url}${path}"></iframe>`).join(''))
  })
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  try {
    await page.goto(`http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`)
    await expect.poll(() => page.frames().length).toBe(1 + framed.length)
    for (const frame of page.frames().slice(1)) await expect.poll(() => frame.url()).toMatch(/^chrome-error:/)
  } finally {
    stranger.close()
  }
})
