export { startAnvil, type Anvil } from '../evm/anvil.ts'
