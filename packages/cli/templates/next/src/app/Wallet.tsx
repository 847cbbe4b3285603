'use client'

import { cookieStorage, createLatchkey, hydrate, serverSignIn } from '@latchkey/core'
import { evm } from '@latchkey/evm'
import { LatchkeyProvider } from '@latchkey/react'
import { walletConnect } from '@latchkey/walletconnect'
import { useState, type ReactNode } from 'react'
import { chains } from '@/shared/chains.ts'

const relayUrl = process.env.NEXT_PUBLIC_LATCHKEY_RELAY_URL
const projectId = process.env.NEXT_PUBLIC_LATCHKEY_PROJECT_ID

/** Provides one instance per page, and one per request on the server, where a shared one would mix up users. */
export function Wallet({ cookie, children }: { cookie: string; children: ReactNode }) {
  const [latchkey] = useState(() => createInstance(cookie))
  return <LatchkeyProvider latchkey={latchkey}>{children}</LatchkeyProvider>
}

function createInstance(cookie: string) {
  const isServer = typeof document === 'undefined'
  const metadata = {
    name: '%NAME%',
    description: 'An app with Latchkey',
    url: isServer ? '' : location.origin,
    icons: [],
  }
  const latchkey = createLatchkey({
    adapters: [evm({ chains })],
    // Phone wallets need a relay. See the file .env.
    connectors: relayUrl && projectId ? [walletConnect({ relayUrl, projectId, metadata })] : [],
    siwx: serverSignIn({ url: '/api/sign-in', statement: 'Sign in to %NAME%.' }),
    // The remembered account is in a cookie, so that the server renders it.
    storage: cookieStorage(isServer ? { cookie } : document),
  })
  hydrate(latchkey)
  return latchkey
}
