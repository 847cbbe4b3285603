export { theme as default } from '../../src/theme/theme.ts'
