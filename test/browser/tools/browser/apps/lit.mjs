import { LitElement, html } from 'lit';

/** Properties, events and a list inside a shadow root. */
class TodoList extends LitElement {
  static properties = { items: { state: true } };

  constructor() {
    super();
    this.items = ['one'];
  }

  render() {
    return html`<form
        @submit=${(event) => {
          event.preventDefault();
          this.items = [...this.items, this.renderRoot.querySelector('input').value];
        }}
      >
        <input aria-label="Todo" /><button>Add</button>
      </form>
      <ul>
        ${this.items.map(
          (item, index) =>
            html`<li>
              ${item}
              <button
                aria-label="Remove ${item}"
                @click=${() => (this.items = this.items.filter((_, at) => at !== index))}
              >
                ×
              </button>
            </li>`,
        )}
      </ul>
      <p>${this.items.length} left</p>`;
  }
}
customElements.define('todo-list', TodoList);
