import type { SiweConfig } from '@latchkey/core'
import { internalsOf, settleSignIn } from '@latchkey/core/internal'
import { useConfig } from 'wagmi'
import { getLatchkey } from '../getLatchkey.ts'
import { useClientLayoutEffect } from './useClientLayoutEffect.ts'

/**
 * Adds the sign-in of a provider to the instance of wagmi's configuration, which was created before it. `start` follows only a sign-in that the instance
 * was created with, so this hook looks up sessions and ends them itself.
 *
 * @param config a stable object; undefined without a sign-in
 */
export function useSiweConfig(config: SiweConfig | undefined): void {
  const latchkey = getLatchkey(useConfig())
  useClientLayoutEffect(() => {
    if (config === undefined) return
    const { settings } = internalsOf(latchkey)
    const { signOutOnDisconnect = true } = config
    Object.assign(settings, { signIn: { ...config, signOutOnDisconnect: false } })
    // A lookup that ends after the provider is removed finds no sign-in.
    const follow = (): void => void settleSignIn(latchkey).catch(() => undefined)
    const stops = [
      latchkey.wallet.subscribe(follow),
      latchkey.events.subscribe((event) => {
        const isEnd = event.type === 'disconnect' && event.namespace === 'eip155' && event.by !== 'other-tab'
        if (isEnd && signOutOnDisconnect) void endSession(config)
      }),
    ]
    follow()
    return () => {
      for (const stop of stops) stop()
      Object.assign(settings, { signIn: undefined })
      latchkey.signIn.setState({ status: 'off' }, true)
    }
  }, [latchkey, config])
}

/** Ends the session of a user who disconnected. If that fails, it expires by itself. */
async function endSession(config: SiweConfig): Promise<void> {
  try {
    await config.signOut()
    config.onSignOut?.()
  } catch (error) {
    console.error(error)
  }
}
