import { verifyMessage } from '@latchkey/core'
import { useLatchkey, useSignMessage } from '@latchkey/react'
import { useState, type FormEvent, type ReactElement } from 'react'
import { useRequest } from './useRequest.ts'

export function SignCard(): ReactElement {
  const latchkey = useLatchkey()
  const { signMessage } = useSignMessage()
  const [message, setMessage] = useState('I keep the keys to this door.')
  const [state, request] = useRequest<{ signature: string; valid: boolean }>()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    request(async () => {
      const signature = await signMessage(message)
      return { signature, valid: await verifyMessage(latchkey, message, signature) }
    })
  }
  return (
    <form className="card" onSubmit={submit} aria-labelledby="sign-title">
      <h2 id="sign-title">Sign a message</h2>
      <label>
        Message
        <textarea rows={3} value={message} onChange={(event) => setMessage(event.target.value)} />
      </label>
      <button className="button primary" disabled={state.status === 'waiting'}>
        {state.status === 'waiting' ? 'Approve in the wallet…' : 'Sign'}
      </button>
      <div role="status">
        {state.status === 'done' && (
          <>
            <p className={state.result.valid ? 'good' : 'bad'}>
              {state.result.valid ? 'The signature verifies.' : 'The signature does not verify.'}
            </p>
            <p className="hash">{state.result.signature}</p>
          </>
        )}
      </div>
      {state.status === 'failed' && <p role="alert">{state.reason}</p>}
    </form>
  )
}
