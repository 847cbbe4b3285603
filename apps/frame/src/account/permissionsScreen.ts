import type { OwnPermission } from '../smart/permissions/listOwnPermissions.ts'
import { doneBanner, drawFailure, drawWaiting } from '../screens/elements/drawFailure.ts'
import { formatTime } from '../screens/elements/formatDate.ts'
import { h, createIcon } from '../screens/elements/h.ts'
import { originLine } from '../screens/elements/originLine.ts'
import { createButton, drawLayout } from '../screens/elements/layout.ts'
import { messageForUser } from '../screens/failure.ts'
import type { Screen } from '../screens/stage/stage.ts'
import { createScreen, whenDone, type Steps } from '../screens/stage/steps.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'

/** The permission to revoke, or the end of the screen. */
export type PermissionsResult = OwnPermission | 'done'

export type PermissionsScreenProps = {
  readonly messages: Messages
  /** @throws RpcError -32603 if a service can't be reached */
  list(): Promise<readonly OwnPermission[]>
  /** Confirmation of the last action. */
  readonly done?: string
}

/** Lists the permissions of all apps that the network enforces. */
export function permissionsScreen(props: PermissionsScreenProps): Screen<PermissionsResult> {
  return createScreen((steps) => loadPermissions(steps, props))
}

function loadPermissions(steps: Steps<PermissionsResult>, props: PermissionsScreenProps): void {
  const { messages, list } = props
  const { title } = messages.permissions
  drawWaiting(steps.root, { title })
  whenDone(steps, list(), {
    done: (permissions) => drawPermissions(steps, props, permissions),
    failed: (error) =>
      drawFailure(steps.root, messages, {
        title,
        sentence: messageForUser(error, messages),
        retry: () => loadPermissions(steps, props),
        leave: () => steps.finish('done'),
      }),
  })
}

function drawPermissions(
  steps: Steps<PermissionsResult>,
  { messages, done }: PermissionsScreenProps,
  permissions: readonly OwnPermission[],
): void {
  const { permissions: texts, common } = messages
  const isEmpty = permissions.length === 0
  drawLayout(steps.root, {
    title: texts.title,
    content: [
      done === undefined ? undefined : doneBanner(done),
      h('p', { class: 'hint' }, isEmpty ? texts.none : texts.intro),
      isEmpty
        ? undefined
        : h('ul', { class: 'rows' }, ...permissions.map((each) => permissionRow(steps, messages, each))),
    ],
    actions: [createButton({ text: common.done, look: 'primary', press: () => steps.finish('done') })],
  })
}

function permissionRow(steps: Steps<PermissionsResult>, messages: Messages, permission: OwnPermission): HTMLElement {
  const { permissions: texts, approve } = messages
  const { delegate, network, expiry, origin } = permission
  const until = `${approve.labels.until} ${formatTime(expiry * 1_000, messages.locale)}`
  return h(
    'li',
    { class: 'row' },
    createIcon('key'),
    h(
      'div',
      { class: 'text' },
      origin === undefined ? h('p', { class: 'name' }, texts.unknownApp) : originLine(origin),
      h('p', { class: 'sub' }, approve.labels.sessionAccount),
      h('p', { class: 'address' }, delegate),
      h('p', { class: 'sub' }, h('bdi', {}, network.name), ' · ', h('bdi', {}, until)),
    ),
    h(
      'button',
      {
        type: 'button',
        class: 'chip',
        'aria-label': texts.revokeOf({ account: delegate }),
        on: { click: () => steps.finish(permission) },
      },
      texts.revoke,
    ),
  )
}
