'use client'

import { ConnectButton, useDisconnect, useSignIn } from '@latchkey/react'
import { useEffect, useState } from 'react'

export default function Page() {
  const { state } = useSignIn()
  const { mutate: disconnect } = useDisconnect()
  return (
    <main>
      <h1>%NAME%</h1>
      <ConnectButton />
      {state.status === 'signed' && (
        <>
          <Greeting />
          {/* This ends the session on the server too. */}
          <button type="button" onClick={() => disconnect()}>
            Sign out
          </button>
        </>
      )}
    </main>
  )
}

/** Shows a text that the server has for signed-in users only. */
function Greeting() {
  const [text, setText] = useState('')
  useEffect(() => {
    const controller = new AbortController()
    fetch('/api/greeting', { signal: controller.signal })
      .then((response) => (response.ok ? response.text() : 'The server has no session. Sign in again.'))
      .then(setText, () => undefined)
    return () => controller.abort()
  }, [])
  return <output>{text}</output>
}
