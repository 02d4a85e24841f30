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
  type Tracer,
} from '@opentelemetry/api'
import { traceparentOf } from '../src/contract/redemptions/hold.ts'
import type { Log } from './log.ts'

/** Until `startTracing` has been called there is none, and whatever is asked here costs a comparison. */
let tracer: Tracer | undefined

/** Of traces. Each would cost a redemption more than three in a hundred of its time. */
const SHARE_TRACED = 0.1

/**
 * Whether the trace that this `traceparent` names is one of them, or a new one is; by the end of its id, so that all of a voucher is
 * traced or nothing of it. Asked before anything is made for the trace. The variables of OpenTelemetry choose instead, if they say how.
 */
let isChosen = (traceparent: string | undefined): boolean => {
  const [, traceId] = traceparent?.split('-') ?? []
  return (traceId === undefined ? Math.random() : Number(`0x${traceId.slice(-8)}`) / 2 ** 32) < SHARE_TRACED
}

/**
 * Sends what is traced to the OpenTelemetry collector at `endpoint`, until what it answers is called, which sends the rest. The SDK
 * is loaded only then, and reads its other settings from the variables of its own specification (OTEL_…). A collector that is away
 * costs a line of the log.
 */
export async function startTracing(endpoint: string, log: Log): Promise<() => Promise<void>> {
  const [sdk, { OTLPTraceExporter }, resources] = await Promise.all([
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
  const isSaid = Boolean(process.env['OTEL_TRACES_SAMPLER'])
  const provider = new sdk.NodeTracerProvider({
    resource: named.merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }))],
    ...(isSaid ? {} : { sampler: new sdk.AlwaysOnSampler() }),
  })
  if (isSaid) isChosen = () => true
  provider.register()
  tracer = provider.getTracer('merchant-portal')
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
export async function traceCall(
  headers: Headers,
  run: (traceId: string | undefined) => Promise<void>,
  outcome: () => CallOutcome,
): Promise<void> {
  if (!tracer || !isChosen(headers.get('traceparent') ?? undefined)) return run(undefined)
  const parent = propagation.extract(ROOT_CONTEXT, headers, OF_HEADERS)
  const span = tracer.startSpan('call', { kind: SpanKind.SERVER }, parent)
  // Who is not traced gets no context either: it costs as much as the span.
  if (!span.isRecording()) return run(undefined)
  try {
    await context.with(trace.setSpan(parent, span), run, undefined, span.spanContext().traceId)
  } finally {
    endCall(span, outcome())
  }
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
 * brought it, if that is traced.
 */
export async function traceVoucher<T>(holdId: string, run: () => Promise<T>): Promise<T> {
  const traceparent = traceparentOf(holdId)
  if (!tracer || !isChosen(traceparent)) return run()
  const call = trace.getActiveSpan()
  const scan = propagation.extract(ROOT_CONTEXT, { traceparent })
  const span = tracer.startSpan(
    'what became of a voucher',
    call ? { links: [{ context: call.spanContext() }] } : {},
    scan,
  )
  if (!span.isRecording()) return run()
  try {
    return await context.with(trace.setSpan(scan, span), run)
  } finally {
    span.end()
  }
}

const untraced = () => undefined

/** A query as pg takes it; what has a name is a statement of ours, whose text of some kilobytes says no more. */
export interface TracedQuery {
  name?: string
  text?: string
}

/** Begins the span of one statement, which what it answers ends. Its values stay out of it. Work that nobody asked for has none. */
export function traceStatement({ name, text = '' }: TracedQuery): (error?: Error) => void {
  if (!tracer || !trace.getActiveSpan()) return untraced
  const summary = name ?? /\w+/.exec(text)?.[0] ?? ''
  const attributes = {
    'db.system.name': 'postgresql',
    'db.query.summary': summary,
    ...(name === undefined ? { 'db.query.text': text } : {}),
  }
  const span = tracer.startSpan(`${summary} postgresql`, { kind: SpanKind.CLIENT, attributes })
  return (error) => {
    if (error) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }
}

/** `callback` as part of what is traced now, whoever calls it later: a connection is handed over by whoever gives it back. */
export function boundToTrace<A extends unknown[]>(callback: (...given: A) => void): (...given: A) => void {
  if (!tracer) return callback
  const own = context.active()
  return (...given) => {
    if (context.active() === own) callback(...given)
    else context.with(own, callback, undefined, ...given)
  }
}
