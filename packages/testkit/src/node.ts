export { startAnvil, type Anvil } from './anvil.ts'
