import { connect, getAccount } from '@latchkey/core'
import { fakeConnector, fakeWorld } from '@latchkey/core/fakes'
import { QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { queryClientOf } from './queryClient.ts'
import { tokensQuery } from './tokensQuery.ts'

const usdc = {
  name: 'USD Coin',
  symbol: 'USDC',
  chainId: 'eip155:1',
  address: 'eip155:1:0xa0b8',
  price: 1,
  quantity: { decimals: '6', numeric: '1.5' },
  iconUrl: '',
}

test('the tokens stay without an error while the client waits for a busy server', async () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  let requests = 0
  vi.stubGlobal('fetch', async () => {
    requests += 1
    if (requests !== 2) return Response.json({ balances: [{ ...usdc, value: requests }] })
    return Response.json({}, { status: 503, headers: { 'retry-after': '2' } })
  })
  const { latchkey, clock } = fakeWorld({ server: 'https://server.test', connectors: [fakeConnector()] })
  await connect(latchkey, 'fake')
  const observer = new QueryObserver(queryClientOf(latchkey), tokensQuery(latchkey, getAccount(latchkey)))
  const stop = observer.subscribe(() => undefined)
  const read = () => {
    const { data, error, status, isFetching } = observer.getCurrentResult()
    return { value: data?.[0]?.value, error, status, isFetching }
  }
  await vi.waitFor(() => expect(read()).toMatchObject({ value: 1, isFetching: false }))
  clock.advance(30_000)
  void observer.refetch()
  await vi.waitFor(() => expect(requests).toBe(2))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(read()).toEqual({ value: 1, error: null, status: 'success', isFetching: true })
  await vi.waitFor(() => {
    // The code that waits is loaded first.
    clock.advance(3_500)
    expect(read()).toEqual({ value: 3, error: null, status: 'success', isFetching: false })
  })
  stop()
})
