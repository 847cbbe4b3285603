import type { FrameNetwork } from '../../frameConfig.ts'
import type { Messages } from '../../messages/loadFrameMessages.ts'
import { schedule } from '../../platform/schedule.ts'
import type { PolicyRule } from '../../policy/policyRule.ts'
import type { KeyHolder, SecondDeviceRequest, SecondDeviceState, SignRequest } from '../../worker/keyHolder.ts'
import { drawFailure, drawWaiting } from '../elements/drawFailure.ts'
import { h } from '../elements/h.ts'
import { createButton, drawLayout } from '../elements/layout.ts'
import { originLine } from '../elements/originLine.ts'
import { messageForUser } from '../failure.ts'
import type { Screen } from '../stage/stage.ts'
import { createScreen, whenDone, type Steps } from '../stage/steps.ts'
import { spendingFacts } from './spendingFacts.ts'
import { listLimitedAssets } from './limitedAssets.ts'

export type LimitScreenProps = {
  readonly messages: Messages
  readonly holder: Pick<KeyHolder, 'requestSecondDevice' | 'checkSecondDevice'>
  readonly networks: readonly FrameNetwork[]
  readonly request: SignRequest
  /** Origin of the page that sent the request. */
  readonly origin: string
  readonly rule: PolicyRule
  /** Calls `act` later. Returns a function that cancels the call. Default: `setTimeout`. */
  later?(act: () => void, milliseconds: number): () => void
}

const pollMs = 2_000

/** Names the rule that a request exceeds, and waits for the approval of another device. */
export function limitScreen(props: LimitScreenProps): Screen<'approved' | 'closed'> {
  return createScreen((steps) => drawRule(steps, props))
}

type LimitSteps = Steps<'approved' | 'closed'>

function drawRule(steps: LimitSteps, props: LimitScreenProps, problem?: string): void {
  const { messages, origin, rule } = props
  const { policy: texts, approve } = messages
  drawLayout(steps.root, {
    title: texts.limitTitle,
    content: [
      h('dl', { class: 'facts' }, h('dt', {}, approve.asks), h('dd', {}, originLine(origin))),
      problem === undefined ? undefined : h('p', { role: 'alert' }, problem),
      h('p', {}, texts.rules[rule]),
      h('p', { class: 'hint' }, texts.wayOut),
    ],
    actions: [
      createButton({ text: texts.ask, look: 'primary', press: () => sendRequest(steps, props) }),
      createButton({ text: approve.close, look: 'quiet', press: () => steps.finish('closed') }),
    ],
  })
}

function sendRequest(steps: LimitSteps, props: LimitScreenProps): void {
  const { messages, holder, request, origin, rule } = props
  drawWaiting(steps.root, { title: messages.policy.limitTitle })
  whenDone(steps, holder.requestSecondDevice({ request, origin, rule }), {
    done: (requested) => drawDigits(steps, props, requested),
    failed: (error) => drawLimitFailure(steps, props, error),
  })
}

function drawDigits(steps: LimitSteps, props: LimitScreenProps, requested: SecondDeviceRequest): void {
  const { messages, networks } = props
  const { policy: texts, approve } = messages
  drawLayout(steps.root, {
    title: texts.ask,
    content: [
      h('p', { class: 'match', role: 'status', 'aria-label': `${texts.digits}: ${requested.match}` }, requested.match),
      h('p', { class: 'hint' }, texts.askHint),
      h('dl', { class: 'facts' }, ...spendingFacts(requested.spending, listLimitedAssets(networks), messages)),
    ],
    actions: [createButton({ text: approve.close, look: 'quiet', press: () => steps.finish('closed') })],
  })
  poll(steps, props, requested)
}

function poll(steps: LimitSteps, props: LimitScreenProps, requested: SecondDeviceRequest): void {
  const { holder, later = schedule } = props
  whenDone(steps, holder.checkSecondDevice(requested.id), {
    done(state) {
      if (state === 'approved') return steps.finish('approved')
      if (state !== 'waiting') return drawRule(steps, props, getUnapprovedText(state, props.messages))
      const cancel = later(() => poll(steps, props, requested), pollMs)
      steps.signal.addEventListener('abort', cancel, { once: true })
    },
    failed: (error) => drawLimitFailure(steps, props, error),
  })
}

function getUnapprovedText(
  state: Exclude<SecondDeviceState, 'approved' | 'waiting'>,
  { policy: texts }: Messages,
): string {
  return { refused: texts.refusedThere, tooNew: texts.tooNew, expired: texts.expired }[state]
}

function drawLimitFailure(steps: LimitSteps, props: LimitScreenProps, error: unknown): void {
  drawFailure(steps.root, props.messages, {
    sentence: messageForUser(error, props.messages),
    retry: () => drawRule(steps, props),
    leave: () => steps.finish('closed'),
  })
}
