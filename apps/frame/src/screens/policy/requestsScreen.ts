import type { FrameNetwork } from '../../frameConfig.ts'
import type { Messages } from '../../messages/loadFrameMessages.ts'
import type { KeyHolder, SecondDeviceRequest } from '../../worker/keyHolder.ts'
import { doneBanner, drawFailure, drawWaiting } from '../elements/drawFailure.ts'
import { h } from '../elements/h.ts'
import { createButton, drawLayout } from '../elements/layout.ts'
import { originLine } from '../elements/originLine.ts'
import { messageForUser } from '../failure.ts'
import type { Screen } from '../stage/stage.ts'
import { createScreen, whenDone, type Steps } from '../stage/steps.ts'
import { spendingFacts } from './spendingFacts.ts'
import { listLimitedAssets } from './limitedAssets.ts'

export type RequestsScreenProps = {
  readonly messages: Messages
  readonly holder: Pick<KeyHolder, 'secondDeviceRequests' | 'decideForDevice'>
  readonly networks: readonly FrameNetwork[]
}

/** Lists the requests of the user's other devices, and sends the decisions. */
export function requestsScreen(props: RequestsScreenProps): Screen<'done'> {
  return createScreen((steps) => loadRequests(steps, props), 'steps')
}

function loadRequests(steps: Steps<'done'>, props: RequestsScreenProps, done?: string): void {
  const { messages, holder } = props
  const { requests: title } = messages.policy
  drawWaiting(steps.root, { title })
  whenDone(steps, holder.secondDeviceRequests(), {
    done: (requests) => drawRequests(steps, props, requests, done),
    failed: (error) =>
      drawFailure(steps.root, messages, {
        title,
        sentence: messageForUser(error, messages),
        retry: () => loadRequests(steps, props),
        leave: () => steps.finish('done'),
      }),
  })
}

function drawRequests(
  steps: Steps<'done'>,
  props: RequestsScreenProps,
  requests: readonly SecondDeviceRequest[],
  done?: string,
): void {
  const { policy: texts, common } = props.messages
  const rows = requests.map((request) =>
    h(
      'li',
      { class: 'row' },
      h('div', { class: 'text' }, originLine(request.origin), h('p', { class: 'sub' }, request.match)),
      h(
        'button',
        { type: 'button', class: 'chip', on: { click: () => drawRequest(steps, props, request) } },
        texts.show,
      ),
    ),
  )
  drawLayout(steps.root, {
    title: texts.requests,
    content: [
      done === undefined ? undefined : doneBanner(done),
      rows.length === 0 ? h('p', { class: 'hint' }, texts.noRequests) : h('ul', { class: 'rows' }, ...rows),
    ],
    actions: [
      createButton({ text: common.retry, press: () => loadRequests(steps, props) }),
      createButton({ text: common.done, look: 'quiet', press: () => steps.finish('done') }),
    ],
  })
}

function drawRequest(steps: Steps<'done'>, props: RequestsScreenProps, request: SecondDeviceRequest): void {
  const { messages, networks } = props
  const { policy: texts, approve, common } = messages
  drawLayout(steps.root, {
    title: texts.requests,
    content: [
      h('p', {}, texts.rules[request.rule]),
      h(
        'dl',
        { class: 'facts' },
        h('dt', {}, approve.asks),
        h('dd', {}, originLine(request.origin)),
        ...spendingFacts(request.spending, listLimitedAssets(networks), messages),
        h('dt', {}, texts.digits),
        h('dd', { class: 'match' }, request.match),
      ),
      request.spending.isUnknown ? h('p', { role: 'alert' }, texts.rules.unknown) : undefined,
      h('p', { class: 'hint' }, texts.requestHint),
    ],
    actions: [
      createButton({
        text: texts.approve,
        look: 'primary',
        guarded: true,
        press: () => sendDecision(steps, props, request, true),
      }),
      createButton({ text: texts.refuse, press: () => sendDecision(steps, props, request, false) }),
      createButton({ text: common.back, look: 'quiet', press: () => loadRequests(steps, props) }),
    ],
  })
}

function sendDecision(
  steps: Steps<'done'>,
  props: RequestsScreenProps,
  { id }: SecondDeviceRequest,
  isApproved: boolean,
): void {
  const { messages, holder } = props
  const { policy: texts } = messages
  drawWaiting(steps.root, { title: texts.requests })
  whenDone(steps, holder.decideForDevice(id, isApproved), {
    done: () => loadRequests(steps, props, isApproved ? texts.approved : texts.refused),
    failed: (error) =>
      drawFailure(steps.root, messages, {
        sentence: messageForUser(error, messages),
        leave: () => loadRequests(steps, props),
      }),
  })
}
