// @ts-nocheck -- this file runs as it is, without a build
import { createLatchkey, defineElements, disconnect, evm, getAccount, signMessage, switchNetwork } from './latchkey.js'

const rpc = new URLSearchParams(location.search).get('rpc')
const localChain = (id) => ({
  id,
  name: `Local ${id}`,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [rpc] } },
})
const latchkey = createLatchkey({ adapters: [evm({ chains: [localChain(31_337), localChain(31_338)] })] })
defineElements(latchkey)

const update = () => {
  const { status, network } = getAccount(latchkey)
  document.querySelector('output').textContent = `${status} ${network?.name}`
}
latchkey.wallet.subscribe(update)
update()

const on = (id, act) => document.getElementById(id).addEventListener('click', act)
on('sign', async () => {
  document.querySelector('p').textContent = await signMessage(latchkey, 'Hello')
})
on('switch', () => switchNetwork(latchkey, 'eip155:31338'))
on('leave', () => disconnect(latchkey))
