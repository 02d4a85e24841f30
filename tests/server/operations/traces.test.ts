import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { traceparentOf } from '../../../src/contract/redemptions/hold.ts'
import { type Ask } from '../../support/api/portalClient.ts'
import { makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { askHeld, newHoldKey, redeemHeld, testTill, verifyAt } from '../../support/redemptions/testTill.ts'
import { serverEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer } from '../../support/server/serverProcess.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: Record<string, unknown> }[]
  links?: { traceId: string }[]
}

interface Export {
  resourceSpans: { resource: { attributes: Span['attributes'] }; scopeSpans: { spans: Span[] }[] }[]
}

/** Takes OTLP in JSON, as a collector does. */
async function startCollector() {
  const exports: Export[] = []
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      exports.push(body as Export)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exports,
    spans: () =>
      exports.flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const valueOf = (span: Span, key: string) =>
  Object.values(span.attributes.find((one) => one.key === key)?.value ?? {})[0]

it('all that happens to a voucher, from its scan to the statements that redeem it and a later upload, is one trace', async () => {
  const collector = await startCollector()
  const at = await serverEnvironment()
  const database = await at.open()
  const cashier = await makePosUser(database.db)
  const { serial } = await makeVoucher(database.db)
  await database.close()
  const tracing = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'always_on',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
  }
  const server = await startServer({ ...at.env, ...tracing })
  try {
    const ask: Ask = server.ask
    const till = await testTill(ask, cashier)
    const key = newHoldKey()
    const traceparent = traceparentOf(key.id)
    const [, traceId, scan] = traceparent.split('-')
    const traced: Ask = (path, init) =>
      ask(path, { ...init, headers: { ...(init?.headers as Record<string, string>), traceparent } })
    expect((await verifyAt(traced, till.token, till.id, serial, key)).status).toBe(200)
    expect(await redeemHeld(traced, key)).toMatchObject({ state: 'redeemed' })

    const named = (name: string) => collector.spans().find((span) => span.traceId === traceId && span.name === name)
    await expect.poll(() => named('what became of a voucher')).toBeDefined()
    const told = named('what became of a voucher')!
    expect(named('POST /voucher/verify')).toMatchObject({ parentSpanId: scan })
    expect(told).toMatchObject({ parentSpanId: scan, links: [{ traceId }] })
    const statements = collector.spans().filter(({ parentSpanId }) => parentSpanId === told.spanId)
    expect(statements.map((span) => valueOf(span, 'db.query.summary'))).toContain('settle')
    expect(server.printed()).toContain(`"trace_id":"${traceId}"`)

    const sent = JSON.stringify(collector.exports)
    expect(sent).toContain('merchant-portal')
    for (const secret of [serial, key.secret, till.token, cashier.loginName]) expect(sent).not.toContain(secret)

    collector.close()
    expect((await askHeld(traced, key)).state).toBe('redeemed')
    await expect.poll(() => server.printed(), { timeout: 15_000 }).toMatch(/traces_not_sent.*connect ECONNREFUSED/)
  } finally {
    collector.close()
    await server.stop()
    await at.remove()
  }
})
