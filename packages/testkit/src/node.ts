export { anvilKeys, startAnvil, type Anvil, type AnvilOptions } from './anvil.ts'
