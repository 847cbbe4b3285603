import type { Latchkey, SocialProvider } from '@latchkey/core'
import { modalOf, type ViewEntry, type ViewName } from '@latchkey/modal'
import type { LoginConnector } from '../loginConnector.ts'
import { statusOf, takeStep } from '../loginStep.ts'

/**
 * Logs in with a social provider. Call it in a click handler: it opens the provider's window at once, which browsers
 * allow only during a user activation.
 *
 * @returns the view to show
 */
export function beginSocialLogin(latchkey: Latchkey, connector: LoginConnector, provider: SocialProvider): ViewEntry {
  if (provider === 'farcaster') return { view: 'ConnectingFarcaster', params: {} }
  void takeStep(latchkey, connector, 'ConnectingSocial', async (signal, show) => {
    await connector.login.social(provider, {
      signal,
      onProgress: (news) => show('blocked' in news ? { open: news.open } : { match: news.match }),
    })
    return true
  })
  return { view: 'ConnectingSocial', params: { provider } }
}

/** Requests a Farcaster link and waits for its approval. Does nothing while a link is pending. */
export function beginFarcasterLogin(latchkey: Latchkey, connector: LoginConnector): void {
  const view: ViewName = 'ConnectingFarcaster'
  if (statusOf(latchkey, view) === 'working') return
  modalOf(latchkey).farcasterUrl.setState({ url: undefined }, true)
  void takeStep(latchkey, connector, view, async (signal) => {
    const { url, done } = await connector.login.farcaster(signal)
    if (!signal.aborted) modalOf(latchkey).farcasterUrl.setState({ url }, true)
    await done
    return true
  })
}
