import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/**', 'reports/**', 'demo/dist/**', 'test/consumers/**'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unsafe-enum-assignment': 'off', // costs seconds, and there are no enums
      '@typescript-eslint/no-extraneous-class': 'off', // symbols such as UserRequirement are classes
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/require-await': 'off', // ports are async where one adapter is
      '@typescript-eslint/no-invalid-void-type': 'off', // a tool may return nothing: `string | void`
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
    },
  },
  {
    files: ['src/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[property.name='randomUUID']",
          message: 'crypto.randomUUID is missing on plain http:// pages: use newId() of src/base/new-id.ts.',
        },
        {
          selector: "MemberExpression[object.name='URL'][property.name='canParse']",
          message: 'Node 20 rejects non-ASCII hosts with it: use isUrl() of src/base/is-url.ts.',
        },
      ],
    },
  },
  {
    files: ['demo/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          property: 'randomUUID',
          message: 'crypto.randomUUID is missing on plain http:// pages: use newId() of demo/new-id.ts.',
        },
      ],
    },
  },
  // What must not compile has no types to check.
  { files: ['**/*.js', '**/*.mjs', 'test/types/**'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
    },
  },
);
