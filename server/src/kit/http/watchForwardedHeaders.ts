import type { FastifyInstance } from 'fastify'

/** Reports if the server runs behind a proxy that its configuration does not mention. */
export type ForwardedHeaders = {
  /** A sentence for operators, once a proxy was noticed. */
  warning(): string | undefined
}

const sentence =
  'Requests carry X-Forwarded-For, but TRUSTED_PROXIES is 0. All clients behind the proxy share one address and its rate limits. Set TRUSTED_PROXIES to the number of your proxies.'

/**
 * Watches for `X-Forwarded-For` while no proxy is configured, and logs the first occurrence. The header changes nothing,
 * because clients can write it too.
 */
export function watchForwardedHeaders(app: FastifyInstance, trustedProxies: number): ForwardedHeaders {
  let isNoticed = false
  if (trustedProxies === 0) {
    app.addHook('onRequest', async ({ headers, log }) => {
      if (isNoticed || headers['x-forwarded-for'] === undefined) return
      isNoticed = true
      log.warn(sentence)
    })
  }
  return { warning: () => (isNoticed ? sentence : undefined) }
}
