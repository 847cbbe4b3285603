import { getAccount, type AccountState, type SiweConfig, type SiweSession } from '@latchkey/core'
import { settleSignIn } from '@latchkey/core/internal'
import { useMemo, useState } from 'react'
import { useConfig } from 'wagmi'
import { getLatchkey } from '../../getLatchkey.ts'
import { useClientLayoutEffect } from '../../kit/useClientLayoutEffect.ts'
import { createAdapterSignIn } from './createAdapterSignIn.ts'
import type { Authentication } from './RainbowKitAuthenticationProvider.tsx'

/** Returns the sign-in of an app, or undefined without one and until its session is known. */
export function useAdapterSignIn(authentication: Authentication | undefined): SiweConfig | undefined {
  const latchkey = getLatchkey(useConfig())
  const { adapter, status = 'loading' } = authentication ?? {}
  // An app that loads its session again does not interrupt a sign-in.
  const [isKnown, setIsKnown] = useState(status !== 'loading')
  if (!isKnown && status !== 'loading') setIsKnown(true)
  const signIn = useMemo(() => {
    if (adapter === undefined || !isKnown) return undefined
    return createAdapterSignIn(adapter, () => toSiweSession(getAccount(latchkey, 'eip155')))
  }, [adapter, isKnown, latchkey])
  // Runs before a lookup that the same rendering started reads the status.
  useClientLayoutEffect(() => {
    const isEnd = signIn?.setStatus(status) ?? false
    const state = latchkey.signIn.getState()
    if (isEnd && state.status === 'signed') {
      const { account, required } = state
      latchkey.signIn.setState({ status: 'unsigned', account, required }, true)
    }
    if (status === 'authenticated' && state.status === 'unsigned') {
      // The app signed the user in itself.
      latchkey.signIn.setState({ status: 'off' }, true)
      void settleSignIn(latchkey)
    }
  }, [latchkey, signIn, status])
  return signIn?.config
}

/** Returns the connected account as the account of a session. */
function toSiweSession(account: AccountState): SiweSession | null {
  return account.status === 'connected' ? { address: account.address, chainId: Number(account.network.id) } : null
}
