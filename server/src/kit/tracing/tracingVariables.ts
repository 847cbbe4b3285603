import { Type } from '@sinclair/typebox'
import { webUrlSchema } from '../config/schemas.ts'
import { fromText, invalidValue, optional, withDefault, type VariableValues } from '../config/variables.ts'

/** The collector that gets the traces. */
export type TracingConfig = {
  /** The base of its OTLP/HTTP endpoint, without `/v1/traces`. */
  endpoint: string
  /** Headers of the requests to it, which may have a secret. */
  headers: Readonly<Record<string, string>>
  serviceName: string
  /** The share of the traces that are recorded, from 0 to 1. */
  share: number
}

const shareSchema = Type.Number({ minimum: 0, maximum: 1, message: 'must be a number from 0 to 1' })

/** The environment variables of traces, by the names that OpenTelemetry defines. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(fromText(webUrlSchema)),
  OTEL_EXPORTER_OTLP_HEADERS: withDefault(parseHeaders, {}),
  OTEL_SERVICE_NAME: withDefault(fromText(Type.String({ maxLength: 100 })), 'latchkey'),
  OTEL_TRACES_SAMPLER_ARG: withDefault(fromText(shareSchema), 1),
}

/** Parses `name=value,name=value`, with encoded values (W3C Baggage). */
function parseHeaders(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((pair) => /^\s*([\w-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(pair))
  if (pairs.includes(null)) throw invalidValue('must be like name=value,other=value')
  try {
    return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', decodeURIComponent(pair?.[2] ?? '')]))
  } catch {
    throw invalidValue('must have encoded values, such as %20 for a space')
  }
}

/** Gets the collector; `undefined` if traces are off. */
export function toTracingConfig(values: VariableValues<typeof tracingVariables>): TracingConfig | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = values
  if (endpoint === undefined) return undefined
  return {
    endpoint: endpoint.replace(/\/+$/, ''),
    headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: values.OTEL_SERVICE_NAME,
    share: values.OTEL_TRACES_SAMPLER_ARG,
  }
}
