// oxlint-disable-next-line import/no-default-export -- the older name of the same view
export { default } from '../siwxSignMessage/SignInView.tsx'
