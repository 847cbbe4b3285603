import type { Clock } from '@latchkey/core'
import {
  frameRequest,
  LatchkeyError,
  type FrameMessage,
  type FrameRequestName,
  type FrameRequests,
  type FrameRefusal,
} from '@latchkey/protocol'
import { embeddedError } from './errors.ts'
import type { FramePort } from './port.ts'

export type AskOptions = {
  /** How long to wait for the answer; without it, as long as the signal lets one. */
  readonly milliseconds?: number
  readonly signal?: AbortSignal
  /** Whether the time stands still while the frame shows something that its visitor has to answer. */
  readonly waitsForVisitor?: boolean
  /** Whether `abandon` gives it up: it is the visitor's to approve. */
  readonly held?: boolean
}

/** Thrown for an answer that says no; whoever asked knows what that means. */
export class FrameRefused extends Error {
  readonly refusal: number | undefined
  readonly said: string | undefined
  constructor(message: string, { code, said }: FrameRefusal) {
    super(message)
    this.refusal = code
    this.said = said
  }
}

/** What an answer that says no is called where nobody knows more of it. */
export function failedBy(error: FrameRefused): LatchkeyError {
  const { message: reason, said } = error
  return embeddedError('embedded/failed', { reason, ...(said !== undefined && { said }) }, { cause: error })
}

/** What was asked of the frame and is not answered yet. */
export type Questions = {
  /**
   * @throws FrameRefused when the frame says no
   * @throws LatchkeyError `embedded/timeout`, `connection/aborted`, `request/rejected`, `wallet/invalid-answer`, and what
   *   ends all of them
   */
  put<name extends FrameRequestName>(
    port: FramePort,
    name: name,
    payload: FrameRequests[name]['payload'],
    options: AskOptions,
  ): Promise<FrameRequests[name]['answer']>
  /** Takes an answer to the one who asked. */
  settle(message: Exclude<FrameMessage, { kind: 'news' }>): void
  /** Gives up what the visitor was to approve. */
  abandon(): void
  /** Whether the frame shows something now. */
  show(isOpen: boolean): void
  /** Ends them all. */
  end(error: Error): void
}

type Question = {
  readonly name: FrameRequestName
  readonly held: boolean
  resolve(answer: unknown): void
  reject(error: Error): void
  /** Rejects, and tells the frame that nobody waits any more. */
  giveUp(error: Error): void
}

/** @param origin whose answers these are, for sentences */
export function createQuestions(clock: Clock, origin: string): Questions {
  const open = new Map<string, Question>()
  /** Those whose time is up while the visitor reads: it begins again when he is done. */
  const late = new Set<() => void>()
  let isShown = false

  /** Follows the time and the signal of one question; returns what ends that. */
  const watch = ({ milliseconds, signal, waitsForVisitor }: AskOptions, giveUp: Question['giveUp']): (() => void) => {
    let cancel = (): void => {}
    const arm = (): void => {
      late.delete(arm)
      if (milliseconds !== undefined) cancel = clock.after(milliseconds, expire)
    }
    const expire = (): void => {
      if (waitsForVisitor === true && isShown) late.add(arm)
      else giveUp(embeddedError('embedded/timeout', {}))
    }
    const abort = (): void => giveUp(abortion())
    signal?.addEventListener('abort', abort, { once: true })
    arm()
    return () => {
      cancel()
      late.delete(arm)
      signal?.removeEventListener('abort', abort)
    }
  }

  return {
    put: (port, name, payload, options) =>
      // What resolves it was read as this name's answer.
      new Promise<never>((resolve, reject) => {
        const id = crypto.randomUUID()
        const giveUp = (error: Error): void => {
          open.get(id)?.reject(error)
          say(port, frameRequest('RPC_ABORT', crypto.randomUUID(), { id }))
        }
        const stop = watch(options, giveUp)
        const end = (): void => {
          stop()
          open.delete(id)
        }
        open.set(id, {
          name,
          held: options.held === true,
          resolve: (answer) => (end(), resolve(answer as never)),
          reject: (error) => (end(), reject(error)),
          giveUp,
        })
        try {
          port.post(frameRequest(name, id, payload))
        } catch (error) {
          end()
          reject(error)
        }
      }),
    settle(message) {
      const question = open.get(message.id)
      // A late answer, or one to what nobody asked.
      if (question === undefined || question.name !== message.name) return
      if (message.kind === 'answer') return question.resolve(message.payload)
      if (message.kind === 'error') return question.reject(new FrameRefused(message.message, message))
      question.reject(new LatchkeyError('wallet/invalid-answer', { wallet: origin, method: message.name }))
    },
    abandon() {
      for (const question of [...open.values()].filter(({ held }) => held)) {
        // What the field says of it [R8.2.8].
        const sentence = 'Request was aborted'
        question.giveUp(new LatchkeyError('request/rejected', { method: question.name }, { sentence }))
      }
    },
    show(isOpen) {
      isShown = isOpen
      if (!isOpen) for (const resume of late) resume()
    },
    end(error) {
      for (const question of open.values()) question.reject(error)
    },
  }
}

/** What was given up by the page itself [R8.2.8]. */
export function abortion(): LatchkeyError {
  return new LatchkeyError('connection/aborted', {}, { sentence: 'Something went wrong' })
}

/** Says something that nobody waits for an answer to. */
function say(port: FramePort, message: { readonly type: string }): void {
  try {
    port.post(message)
  } catch {
    // The frame is gone, and with it whatever it was told about.
  }
}
