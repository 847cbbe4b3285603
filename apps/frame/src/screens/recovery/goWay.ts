import { isLatchkeyError } from '@latchkey/protocol'
import type { Words } from '../../words/words.ts'
import type { KeyHolder, ShownWay, WayAnswer } from '../../worker/keyHolder.ts'
import { h } from '../dom.ts'
import { failureOf, sentenceOf } from '../failure.ts'
import { button, labelledField, layOut } from '../layout.ts'
import { drawWaiting, problemLine } from '../standing.ts'
import { afterwards, type Steps } from '../steps.ts'
import type { Passkeys } from './passkeys.ts'

export type GoWayParts = {
  readonly words: Words
  readonly holder: Pick<KeyHolder, 'ways' | 'passkeyAsk'>
  readonly passkeys: Passkeys
}

/** What is done with the recovery key, and what follows it. */
export type WayTask = {
  act(staying: readonly WayAnswer[]): Promise<void>
  done(): void
  failed(error: unknown): void
  /** The visitor would rather not. */
  leave(): void
}

/**
 * Does something that takes the recovery key. Where only the visitor can open it, the password or the passkey that stays
 * is asked for first, each once.
 */
export function goingWays(
  steps: Pick<Steps<never>, 'root' | 'signal'>,
  parts: GoWayParts,
  task: WayTask,
  staying: readonly WayAnswer[] = [],
): void {
  const { words } = parts
  drawWaiting(steps.root, { title: words.ways.locking, ...(staying.length > 0 && { hint: words.recover.workingHint }) })
  const again = (answer: WayAnswer): void => goingWays(steps, parts, task, [...staying, answer])
  afterwards(steps, task.act(staying), {
    done: task.done,
    failed(error) {
      const last = staying.at(-1)
      if (failureOf(error).code === 'custody/unreadable' && last !== undefined) {
        const wrong = last.method === 'password' ? words.recover.wrong : words.recover.wrongPasskey
        const before = staying.slice(0, -1)
        const retry = (answer: WayAnswer): void => goingWays(steps, parts, task, [...before, answer])
        return askWay(steps, parts, last.method, { answered: retry, leave: task.leave, problem: wrong, before })
      }
      const method = neededWay(error)
      if (method === undefined) return task.failed(error)
      askWay(steps, parts, method, { answered: again, leave: task.leave, before: staying })
    },
  })
}

function neededWay(error: unknown): WayAnswer['method'] | undefined {
  if (!isLatchkeyError(error, 'custody/way-needed')) return undefined
  const { method } = error.context
  return method === 'password' || method === 'passkey' ? method : undefined
}

type Asked = {
  answered(answer: WayAnswer): void
  leave(): void
  /** What was gone already, and is not asked for again. */
  readonly before: readonly WayAnswer[]
  readonly problem?: string
}

function askWay(
  steps: Pick<Steps<never>, 'root' | 'signal'>,
  parts: GoWayParts,
  method: WayAnswer['method'],
  asked: Asked,
): void {
  const { words } = parts
  const { answered, leave, before, problem } = asked
  const { line, say } = problemLine('problem')
  const attributes = {
    id: 'password',
    type: 'password',
    autocomplete: 'current-password',
    'aria-describedby': 'problem',
  }
  const password = labelledField(words.recover.password, attributes)
  const byPassword = (): void => {
    if (password.input.value !== '') return answered({ method: 'password', password: password.input.value })
    say(words.recover.empty)
    password.input.focus()
  }
  const byPasskey = (): void => {
    drawWaiting(steps.root, { title: words.ways.creating })
    afterwards(steps, passkeyAnswer(parts, steps.signal, before), {
      done: (answer) =>
        typeof answer === 'string' ? askWay(steps, parts, method, { ...asked, problem: answer }) : answered(answer),
      failed: (error) => askWay(steps, parts, method, { ...asked, problem: sentenceOf(error, words) }),
    })
  }
  const isPassword = method === 'password'
  layOut(steps.root, {
    title: words.ways.confirmTitle,
    content: [h('p', { class: 'hint' }, words.ways.confirmHint), isPassword ? password.box : undefined, line],
    actions: [
      isPassword
        ? button({ text: words.common.next, look: 'primary' })
        : button({ text: words.recover.usePasskey, look: 'primary', press: byPasskey }),
      button({ text: words.common.cancel, look: 'quiet', press: leave }),
    ],
    ...(isPassword && { submit: byPassword }),
  })
  say(problem)
}

/** @returns a sentence where the ceremony came to nothing */
async function passkeyAnswer(
  { words, holder, passkeys }: GoWayParts,
  signal: AbortSignal,
  before: readonly WayAnswer[],
): Promise<WayAnswer | string> {
  const gone = before.flatMap((answer) => (answer.method === 'passkey' ? [answer.id] : []))
  const ids = (await holder.ways()).filter(isPasskey).map(({ id }) => id)
  const left = ids.filter((id) => !gone.includes(id))
  const outcome = await passkeys.use({ ...(await holder.passkeyAsk()), ids: left, signal })
  if (outcome.kind !== 'used') return outcome.kind === 'cancelled' ? words.recover.cancelled : words.recover.unable
  const { id, output } = outcome.passkey
  return { method: 'passkey', id, output }
}

const isPasskey = ({ method }: ShownWay): boolean => method === 'passkey'
