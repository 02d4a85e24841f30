import {
  context,
  diag,
  DiagLogLevel,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
  type TextMapGetter,
} from '@opentelemetry/api'
import { traceparentOf } from '../src/contract/redemptions/hold.ts'
import type { Log } from './log.ts'

// Until `startTracing` has been called, OpenTelemetry's API does nothing: there is no span, and no context to look up.
const tracer = trace.getTracer('merchant-portal')

/**
 * Sends what is traced to the OpenTelemetry collector at `endpoint`, until what it answers is called, which sends the rest. The SDK
 * is loaded only then, and reads its other settings from the variables of its own specification (OTEL_…). A collector that is away
 * costs a line of the log.
 */
export async function startTracing(endpoint: string, log: Log): Promise<() => Promise<void>> {
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  // An error comes as JSON, with its stack.
  const notSent = (told: string) =>
    log.warn('traces_not_sent', { message: /"message":"([^"]+)/.exec(told)?.[1] ?? told })
  const silent = () => undefined
  diag.setLogger(
    { error: notSent, warn: silent, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
  const named = resources.resourceFromAttributes({ 'service.name': 'merchant-portal' })
  const provider = new NodeTracerProvider({
    resource: named.merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }))],
  })
  provider.register()
  return () => provider.shutdown()
}

/** What became of a call: the route as declared, so that no id or serial gets in, and the code of a refusal. */
export interface CallOutcome {
  method: string
  route: string | undefined
  status: number
  error: string | undefined
  requestId: string
}

/**
 * Runs one call as a span of the trace that its `traceparent` names, or of a new one. `run` is given the id of the trace, if it is
 * traced at all; `outcome` is asked at the end.
 */
export function traceCall(
  headers: Headers,
  run: (traceId: string | undefined) => Promise<void>,
  outcome: () => CallOutcome,
): Promise<void> {
  const parent = propagation.extract(ROOT_CONTEXT, headers, OF_HEADERS)
  return tracer.startActiveSpan('call', { kind: SpanKind.SERVER }, parent, async (span) => {
    try {
      await run(span.isRecording() ? span.spanContext().traceId : undefined)
    } finally {
      endCall(span, outcome())
    }
  })
}

const OF_HEADERS: TextMapGetter<Headers> = {
  keys: (headers) => [...headers.keys()],
  get: (headers, name) => headers.get(name) ?? undefined,
}

function endCall(span: Span, { method, route, status, error, requestId }: CallOutcome): void {
  span.updateName(`${method} ${route ?? ''}`.trim())
  span.setAttributes({
    'http.request.method': method,
    'http.response.status_code': status,
    'portal.request_id': requestId,
    ...(route === undefined ? {} : { 'http.route': route }),
    ...(error === undefined ? {} : { 'error.type': error }),
  })
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/**
 * Runs what becomes of one voucher of an upload as a span of the trace that its scan began. The span links to the call that
 * brought it.
 */
export function traceVoucher<T>(holdId: string, run: () => Promise<T>): Promise<T> {
  const call = trace.getActiveSpan()
  if (!call?.isRecording()) return run()
  const scan = propagation.extract(ROOT_CONTEXT, { traceparent: traceparentOf(holdId) })
  const options = { links: [{ context: call.spanContext() }] }
  return tracer.startActiveSpan('upload of a voucher', options, scan, async (span) => {
    try {
      return await run()
    } finally {
      span.end()
    }
  })
}

/** Begins the span of one statement, which what it answers ends. Its values stay out of it. Work that nobody asked for has none. */
export function traceStatement(text: string): (error?: Error) => void {
  if (!trace.getActiveSpan()?.isRecording()) return () => undefined
  const [operation = ''] = /\w+/.exec(text) ?? []
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': text }
  const span = tracer.startSpan(`${operation} postgresql`, { kind: SpanKind.CLIENT, attributes })
  return (error) => {
    if (error) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }
}

/** `callback` as part of what is traced now, whoever calls it later: a connection is handed over by whoever gives it back. */
export const boundToTrace = <F>(callback: F): F => context.bind(context.active(), callback)
