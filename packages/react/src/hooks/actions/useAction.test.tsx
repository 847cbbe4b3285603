import { connect, type Latchkey } from '@latchkey/core'
import { fakeConnector, fakeWorld } from '@latchkey/core/fakes'
import { isLatchkeyError } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { expect, test, vi } from 'vitest'
import { useConnect, useDisconnect, useSignMessage, useSwitchNetwork } from '../../index.ts'
import { renderApp } from '../../testing/renderModal.tsx'
import { useAction, type Action } from './useAction.ts'

type Call = { name: string; resolve(value: string): void; reject(error: unknown): void }

/** An action whose calls end when the test decides. */
function createSlowAction() {
  const calls: Call[] = []
  const action = (_: Latchkey, name: string): Promise<string> =>
    new Promise((resolve, reject) => calls.push({ name, resolve, reject }))
  const end = (name: string): Call => {
    const call = calls.find((each) => each.name === name)
    if (call === undefined) throw new Error(`${name} was not called.`)
    return call
  }
  return { action, end }
}

/** Shows the state of an action. */
function Panel({ use }: { use(): Action<[name: string], string> }): ReactElement {
  const { status, data, error, mutate, reset } = use()
  return (
    <>
      <output>{[status, data, error instanceof Error ? error.message : ''].join(' ').trim()}</output>
      {['a', 'b'].map((name) => (
        <button key={name} type="button" onClick={() => mutate(name)}>
          {name}
        </button>
      ))}
      <button type="button" onClick={reset}>
        reset
      </button>
    </>
  )
}

async function setUp() {
  const { action, end } = createSlowAction()
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  const screen = await renderApp(latchkey, { children: <Panel use={() => useAction(action)} /> })
  return {
    end,
    screen,
    press: (name: string) => screen.getByRole('button', { name }).click(),
    status: screen.getByRole('status'),
  }
}

test('an action is idle, then pending, then has its data or its error', async () => {
  const { end, press, status } = await setUp()
  await expect.element(status).toHaveTextContent('idle')
  await press('a')
  await expect.element(status).toHaveTextContent('pending')
  end('a').resolve('done')
  await expect.element(status).toHaveTextContent('success done')
  await press('b')
  await expect.element(status).toHaveTextContent('pending')
  end('b').reject(new Error('broken'))
  await expect.element(status).toHaveTextContent('error broken')
  await press('reset')
  await expect.element(status).toHaveTextContent('idle')
})

test('of overlapping calls, the last one determines the state', async () => {
  const { end, press, status } = await setUp()
  await press('a')
  await press('b')
  end('b').resolve('second')
  await expect.element(status).toHaveTextContent('success second')
  end('a').reject(new Error('late'))
  // A later render would show the error.
  await press('reset')
  await expect.element(status).toHaveTextContent('idle')
})

test('a call that ends after a reset changes nothing', async () => {
  const { end, press, status, screen } = await setUp()
  await press('a')
  await press('reset')
  end('a').resolve('late')
  await new Promise((resolve) => requestAnimationFrame(resolve))
  await expect.element(status).toHaveTextContent('idle')
  expect(screen.getByRole('status').element().textContent).toBe('idle')
})

test('a component can be removed while its action is pending', async () => {
  const report = vi.spyOn(console, 'error')
  const { action, end } = createSlowAction()
  const outcomes: unknown[] = []
  function Caller(): ReactElement {
    const { mutateAsync } = useAction(action)
    return (
      <button type="button" onClick={() => void mutateAsync('a').then((value) => outcomes.push(value))}>
        call
      </button>
    )
  }
  function Page(): ReactElement {
    const [isShown, setShown] = useState(true)
    return (
      <>
        {isShown && <Caller />}
        <button type="button" onClick={() => setShown(false)}>
          remove
        </button>
      </>
    )
  }
  const screen = await renderApp(fakeWorld({ connectors: [fakeConnector()] }).latchkey, { children: <Page /> })
  await screen.getByRole('button', { name: 'call' }).click()
  await screen.getByRole('button', { name: 'remove' }).click()
  end('a').resolve('done')
  await expect.poll(() => outcomes).toEqual(['done'])
  expect(report).not.toHaveBeenCalled()
  report.mockRestore()
})

test('functions of an action stay the same between renders', async () => {
  const seen = new Set<unknown>()
  function Watcher(): ReactElement {
    const { status, mutate, mutateAsync, reset } = useSignMessage()
    for (const each of [mutate, mutateAsync, reset]) seen.add(each)
    return (
      <button type="button" onClick={() => mutate('Hello')}>
        {status}
      </button>
    )
  }
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  await connect(latchkey, 'fake')
  const screen = await renderApp(latchkey, { children: <Watcher /> })
  seen.clear()
  await screen.getByRole('button').click()
  await expect.element(screen.getByRole('button')).toHaveTextContent('success')
  expect(seen.size).toBe(3)
})

function Wallet(): ReactElement {
  const connecting = useConnect()
  const leaving = useDisconnect()
  const switching = useSwitchNetwork()
  const code = isLatchkeyError(connecting.error) ? connecting.error.code : ''
  return (
    <>
      <output>{[connecting.status, code, leaving.status, switching.status].join(' ')}</output>
      <button type="button" onClick={() => connecting.mutate('fake')}>
        connect
      </button>
      <button type="button" onClick={() => connecting.mutate('missing')}>
        mistake
      </button>
      <button type="button" onClick={() => switching.mutate('eip155:2')}>
        switch
      </button>
      <button type="button" onClick={() => leaving.mutate()}>
        leave
      </button>
    </>
  )
}

test('useConnect, useSwitchNetwork and useDisconnect report their outcomes', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  const screen = await renderApp(latchkey, { children: <Wallet /> })
  const status = screen.getByRole('status')
  await screen.getByRole('button', { name: 'mistake' }).click()
  await expect.element(status).toHaveTextContent('error connector/not-found idle idle')
  await screen.getByRole('button', { name: 'connect' }).click()
  await expect.element(status).toHaveTextContent('success idle idle')
  await screen.getByRole('button', { name: 'switch' }).click()
  await expect.element(status).toHaveTextContent('success idle success')
  await screen.getByRole('button', { name: 'leave' }).click()
  await expect.element(status).toHaveTextContent('success success success')
})
