import { isRecord } from '@latchkey/protocol'

/** The secret of a login, from the page at the end of an identity provider's login. */
export type LoginHandover = { readonly id: string; readonly secret: string }

/** The part of `window` that the handover needs. */
export type HandoverWindow = {
  addEventListener(type: 'message', onMessage: (event: HandoverMessage) => void): void
}

export type HandoverMessage = {
  readonly source: { postMessage(message: unknown, target: string): void } | null
  readonly origin: string
  readonly data: unknown
}

const maxLength = 64

/**
 * Accepts the secret of a login from the auth service's page in a provider's window. The page sends it to frames in its own
 * browser only, so it proves that the login was finished where it was begun, and not in the browser of a lured victim.
 * The page closes once the frame has confirmed the receipt.
 *
 * @param authUrl URL of the auth service; messages of other origins are ignored
 * @param accept returns false if this frame did not begin the login
 */
export function acceptLoginHandover(
  window: HandoverWindow,
  authUrl: string,
  accept: (handover: LoginHandover) => Promise<boolean>,
): void {
  const { origin: authOrigin } = new URL(authUrl)
  window.addEventListener('message', ({ source, origin, data }) => {
    const handover = origin === authOrigin ? parseHandover(data) : undefined
    if (handover === undefined) return
    void accept(handover).then((accepted) => {
      if (accepted) source?.postMessage({ type: 'latchkey/login-accepted' }, authOrigin)
    })
  })
}

/**
 * Accepts the code of the share store's own login from its page in a provider's window. The page closes once the share store has
 * accepted the code.
 *
 * @param sharesUrl URL of the share store; messages of other origins are ignored
 */
export function acceptCodeHandover(
  window: HandoverWindow,
  sharesUrl: string,
  accept: (code: string) => Promise<void>,
): void {
  const { origin: sharesOrigin } = new URL(sharesUrl)
  window.addEventListener('message', ({ source, origin, data }) => {
    const code = origin === sharesOrigin ? parseCode(data) : undefined
    if (code === undefined) return
    accept(code).then(
      () => source?.postMessage({ type: 'latchkey/code-accepted' }, sharesOrigin),
      () => undefined,
    )
  })
}

function parseCode(data: unknown): string | undefined {
  if (!isRecord(data) || data['type'] !== 'latchkey/code') return undefined
  const { code } = data
  return typeof code === 'string' && /^\d{8}$/.test(code) ? code : undefined
}

function parseHandover(data: unknown): LoginHandover | undefined {
  if (!isRecord(data) || data['type'] !== 'latchkey/login') return undefined
  const { id, secret } = data
  if (typeof id !== 'string' || typeof secret !== 'string') return undefined
  return id.length <= maxLength && secret.length <= maxLength ? { id, secret } : undefined
}
