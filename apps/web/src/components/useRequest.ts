import { useState } from 'react'
import { describeRequestError } from './describeRequestError.ts'

/** The state of a request to the wallet or the chain. */
export type RequestState<result> =
  | { status: 'idle' }
  | { status: 'waiting' }
  | { status: 'done'; result: result }
  | { status: 'failed'; reason: string }

/** Runs one request at a time and returns its state. */
export function useRequest<result>(): [RequestState<result>, (send: () => Promise<result>) => void] {
  const [state, setState] = useState<RequestState<result>>({ status: 'idle' })
  const request = (send: () => Promise<result>): void => {
    setState({ status: 'waiting' })
    send().then(
      (result) => setState({ status: 'done', result }),
      (error: unknown) => setState({ status: 'failed', reason: describeRequestError(error) }),
    )
  }
  return [state, request]
}
