import {
  pushView,
  replaceView,
  type Latchkey,
  type SocialProvider,
  type ViewEntry,
  type ViewName,
} from '@latchkey/core'
import type { EmailAction } from '@latchkey/protocol'
import type { LoginConnector } from './loginConnector.ts'
import { isOnShow, statusOf, takeStep } from './loginStep.ts'

/** Asks for a code by mail, and shows what comes next [R4.3.4]. */
export function beginEmail(
  latchkey: Latchkey,
  connector: LoginConnector,
  view: 'Connect' | 'EmailLogin',
  email: string,
): void {
  void takeStep(latchkey, connector, view, async () => {
    const { action, match } = await connector.login.email(email)
    if (action === 'CONNECT') return true
    if (isOnShow(latchkey, view)) pushView(latchkey, verification(action, email, match))
    return false
  })
}

/** Where a mail is waited for. */
export function verification(action: Exclude<EmailAction, 'CONNECT'>, email: string, match?: string): ViewEntry {
  return action === 'VERIFY_OTP'
    ? { view: 'EmailVerifyOtp', params: { email } }
    : { view: 'EmailVerifyDevice', params: { email, match } }
}

/** Waits until the link in the mail was approved; the code comes after it. */
export function awaitDevice(latchkey: Latchkey, connector: LoginConnector, email: string): void {
  void takeStep(latchkey, connector, 'EmailVerifyDevice', async (signal) => {
    await connector.login.device(signal)
    if (!signal.aborted) replaceView(latchkey, { view: 'EmailVerifyOtp', params: { email } })
    return false
  })
}

/**
 * Logs in by a provider. To be called in the handler of a press: it opens the provider's window at once.
 *
 * @returns the view to show
 */
export function beginSocial(latchkey: Latchkey, connector: LoginConnector, provider: SocialProvider): ViewEntry {
  if (provider === 'farcaster') return { view: 'ConnectingFarcaster', params: {} }
  void takeStep(latchkey, connector, 'ConnectingSocial', async (signal, tell) => {
    await connector.login.social(provider, {
      signal,
      told: (news) => tell('blocked' in news ? { open: news.open } : { match: news.match }),
    })
    return true
  })
  return { view: 'ConnectingSocial', params: { provider } }
}

/** Asks for a Farcaster link and waits until it was approved; nothing while one is waited for. */
export function beginFarcaster(latchkey: Latchkey, connector: LoginConnector): void {
  const view: ViewName = 'ConnectingFarcaster'
  if (statusOf(latchkey, view) === 'working') return
  latchkey.farcasterUrl.setState({ url: undefined }, true)
  void takeStep(latchkey, connector, view, async (signal) => {
    const { url, done } = await connector.login.farcaster(signal)
    if (!signal.aborted) latchkey.farcasterUrl.setState({ url }, true)
    await done
    return true
  })
}
