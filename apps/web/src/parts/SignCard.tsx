import { verifyMessage } from '@latchkey/core'
import { useLatchkey, useSignMessage } from '@latchkey/react'
import { useState, type FormEvent, type ReactElement } from 'react'
import { useAsk } from './useAsk.ts'

export function SignCard(): ReactElement {
  const latchkey = useLatchkey()
  const { signMessage } = useSignMessage()
  const [message, setMessage] = useState('I keep the keys to this door.')
  const [asked, ask] = useAsk<{ signature: string; valid: boolean }>()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    ask(async () => {
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
      <button className="button primary" disabled={asked.status === 'waiting'}>
        {asked.status === 'waiting' ? 'Approve in the wallet…' : 'Sign'}
      </button>
      <div role="status">
        {asked.status === 'done' && (
          <>
            <p className={asked.answer.valid ? 'good' : 'bad'}>
              {asked.answer.valid ? 'The signature verifies.' : 'The signature does not verify.'}
            </p>
            <p className="hash">{asked.answer.signature}</p>
          </>
        )}
      </div>
      {asked.status === 'failed' && <p role="alert">{asked.reason}</p>}
    </form>
  )
}
